// SPDX-License-Identifier: Apache-2.0
/**
 * Clients that count their attempts per router, and load that measures itself. Ours and the
 * official one alike.
 */
@NullMarked
package io.fairlead.cli.demo.traffic;

import org.jspecify.annotations.NullMarked;
