// SPDX-License-Identifier: Apache-2.0
/**
 * Commands and replies edited as bytes, so that what needs no change is not decoded. The bytes were
 * checked by {@code wire} on arrival.
 */
@NullMarked
package io.fairlead.router.bytes;

import org.jspecify.annotations.NullMarked;
