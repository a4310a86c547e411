// SPDX-License-Identifier: Apache-2.0
/** One mongos: listener, routing, clusters. */
@NullMarked
package io.fairlead.router;

import org.jspecify.annotations.NullMarked;
