// SPDX-License-Identifier: Apache-2.0
/** Public specification tests and foreign clients against all of the above. */
@NullMarked
package io.fairlead.conformance;

import org.jspecify.annotations.NullMarked;
