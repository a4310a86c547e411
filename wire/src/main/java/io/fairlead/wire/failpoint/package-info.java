// SPDX-License-Identifier: Apache-2.0
/**
 * Failing on request: the fail points that {@code configureFailPoint} sets on a server or a router.
 * Start at {@link io.fairlead.wire.failpoint.FailPoints}.
 *
 * <pre>
 *   configureFailPoint → FailPointMode + FailCommand → FailPoints
 *   a command arrives  → CommandFacts → FailPoints.onCommand → Effect: delay, then close | error | run and add writeConcernError
 * </pre>
 *
 * Decides, and leaves the doing (waiting, closing, answering) to whoever dispatches commands.
 */
@NullMarked
package io.fairlead.wire.failpoint;

import org.jspecify.annotations.NullMarked;
