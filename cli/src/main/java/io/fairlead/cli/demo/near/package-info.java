// SPDX-License-Identifier: Apache-2.0
/**
 * Members at +0, +10 and +40 ms: who serves how many reads under which window, {@code maxPing} and
 * tags.
 */
@NullMarked
package io.fairlead.cli.demo.near;

import org.jspecify.annotations.NullMarked;
