// SPDX-License-Identifier: Apache-2.0
/** How long an embedded replica set takes to its first acknowledged majority write. */
@NullMarked
package io.fairlead.bench.startup;

import org.jspecify.annotations.NullMarked;
