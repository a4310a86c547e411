// SPDX-License-Identifier: Apache-2.0
/** What was measured, as a table for people and as JSON for programs. */
@NullMarked
package io.fairlead.bench.report;

import org.jspecify.annotations.NullMarked;
