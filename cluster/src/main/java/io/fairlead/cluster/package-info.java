// SPDX-License-Identifier: Apache-2.0
/** The client core: monitors, pools, health, sessions, retries. */
@NullMarked
package io.fairlead.cluster;

import org.jspecify.annotations.NullMarked;
