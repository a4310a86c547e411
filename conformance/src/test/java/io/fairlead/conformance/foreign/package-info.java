// SPDX-License-Identifier: Apache-2.0
/** Fairlead together with what others wrote: their servers, and their clients. */
@NullMarked
package io.fairlead.conformance.foreign;

import org.jspecify.annotations.NullMarked;
