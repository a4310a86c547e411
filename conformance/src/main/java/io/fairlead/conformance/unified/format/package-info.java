// SPDX-License-Identifier: Apache-2.0
/**
 * A test file as typed values. Start at {@link io.fairlead.conformance.unified.format.TestFile};
 * {@link io.fairlead.conformance.unified.format.FormatRules} says what a file may look like.
 */
@NullMarked
package io.fairlead.conformance.unified.format;

import org.jspecify.annotations.NullMarked;
