// SPDX-License-Identifier: Apache-2.0
/**
 * Runs plans. {@link io.fairlead.engine.read.Query} is a request compiled for one collection; its
 * {@link io.fairlead.engine.read.RecordCursor} pulls records through access, filter, sort, skip and
 * limit. {@link io.fairlead.engine.read.Explanation} tells what ran, and what it took.
 */
@NullMarked
package io.fairlead.engine.read;

import org.jspecify.annotations.NullMarked;
