// SPDX-License-Identifier: Apache-2.0
/** The engine as a library, as its manual shows it. */
@NullMarked
package io.fairlead.engine.manual;

import org.jspecify.annotations.NullMarked;
