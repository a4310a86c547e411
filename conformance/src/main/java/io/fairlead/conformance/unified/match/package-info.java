// SPDX-License-Identifier: Apache-2.0
/**
 * Compares what was expected with what came. Start at {@link
 * io.fairlead.conformance.unified.match.Matching}.
 */
@NullMarked
package io.fairlead.conformance.unified.match;

import org.jspecify.annotations.NullMarked;
