// SPDX-License-Identifier: Apache-2.0
/** A retry goes elsewhere, shown end to end on an embedded sharded cluster. */
@NullMarked
package io.fairlead.conformance.retry;

import org.jspecify.annotations.NullMarked;
