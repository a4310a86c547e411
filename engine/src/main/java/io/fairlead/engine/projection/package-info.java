// SPDX-License-Identifier: Apache-2.0
/** What of a document is returned. Start at {@link io.fairlead.engine.projection.Projection}. */
@NullMarked
package io.fairlead.engine.projection;

import org.jspecify.annotations.NullMarked;
