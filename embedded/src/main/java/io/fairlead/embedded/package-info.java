// SPDX-License-Identifier: Apache-2.0
/** Standalone, replica set and sharded cluster in one process, and their remote control. */
@NullMarked
package io.fairlead.embedded;

import org.jspecify.annotations.NullMarked;
