// SPDX-License-Identifier: Apache-2.0
/** Tests of the package of the same name. */
@NullMarked
package io.fairlead.topology.retry;

import org.jspecify.annotations.NullMarked;
