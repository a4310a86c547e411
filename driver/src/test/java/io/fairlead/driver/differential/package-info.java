// SPDX-License-Identifier: Apache-2.0
/** Ours beside the official driver: the same call, and what a server hears of it. */
@NullMarked
package io.fairlead.driver.differential;

import org.jspecify.annotations.NullMarked;
