// SPDX-License-Identifier: Apache-2.0
/** What a test does. Start at {@link io.fairlead.conformance.unified.operation.Operations}. */
@NullMarked
package io.fairlead.conformance.unified.operation;

import org.jspecify.annotations.NullMarked;
