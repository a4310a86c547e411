// SPDX-License-Identifier: Apache-2.0
/** Tests that need the client core's own seams, on an embedded cluster. */
@NullMarked
package io.fairlead.cluster;

import org.jspecify.annotations.NullMarked;
