// SPDX-License-Identifier: Apache-2.0
/** What a test gives names to. Start at {@link io.fairlead.conformance.unified.entity.Entities}. */
@NullMarked
package io.fairlead.conformance.unified.entity;

import org.jspecify.annotations.NullMarked;
