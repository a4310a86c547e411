// SPDX-License-Identifier: Apache-2.0
/**
 * {@code configureFailPoint} and {@code waitForFailPoint} over {@link
 * io.fairlead.wire.failpoint.FailPoints}.
 */
@NullMarked
package io.fairlead.server.failpoint;

import org.jspecify.annotations.NullMarked;
