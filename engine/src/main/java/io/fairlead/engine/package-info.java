// SPDX-License-Identifier: Apache-2.0
/** Documents: storage, indexes, query, update, aggregation. No network. */
@NullMarked
package io.fairlead.engine;

import org.jspecify.annotations.NullMarked;
