// SPDX-License-Identifier: Apache-2.0
/** What a deployment looks like and who may serve an operation. Pure. */
@NullMarked
package io.fairlead.topology;

import org.jspecify.annotations.NullMarked;
