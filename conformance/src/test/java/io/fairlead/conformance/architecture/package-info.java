// SPDX-License-Identifier: Apache-2.0
/**
 * Holds the arrows of the house: which module may know which, and what the pure ones must not
 * touch.
 */
@NullMarked
package io.fairlead.conformance.architecture;

import org.jspecify.annotations.NullMarked;
