// SPDX-License-Identifier: Apache-2.0
/** The client core against fake servers. */
@NullMarked
package io.fairlead.cluster;

import org.jspecify.annotations.NullMarked;
