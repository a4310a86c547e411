// SPDX-License-Identifier: Apache-2.0
/**
 * What of MongoDB 8.0's language is there, by name. {@link
 * io.fairlead.engine.compatibility.Compatibility} asks the registries themselves, so that it cannot
 * say otherwise than they do.
 */
@NullMarked
package io.fairlead.engine.compatibility;

import org.jspecify.annotations.NullMarked;
