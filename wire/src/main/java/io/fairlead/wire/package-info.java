// SPDX-License-Identifier: Apache-2.0
/** Messages over connections. */
@NullMarked
package io.fairlead.wire;

import org.jspecify.annotations.NullMarked;
