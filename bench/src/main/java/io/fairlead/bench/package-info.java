// SPDX-License-Identifier: Apache-2.0
/** JMH and whole-system benchmarks. */
@NullMarked
package io.fairlead.bench;

import org.jspecify.annotations.NullMarked;
