// SPDX-License-Identifier: Apache-2.0
/** Tests of the values that everything else shares. */
@NullMarked
package io.fairlead.topology;

import org.jspecify.annotations.NullMarked;
