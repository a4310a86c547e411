// SPDX-License-Identifier: Apache-2.0
/**
 * What a server tells of itself: its commands, counters, parameters, running operations, and the
 * machine it runs on.
 */
@NullMarked
package io.fairlead.server.diagnostics;

import org.jspecify.annotations.NullMarked;
