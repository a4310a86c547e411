// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fairlead.bench.durability;

import org.jspecify.annotations.NullMarked;
