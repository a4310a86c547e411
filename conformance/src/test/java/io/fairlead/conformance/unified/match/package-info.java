// SPDX-License-Identifier: Apache-2.0
/** Tests of the package of the same name. */
@NullMarked
package io.fairlead.conformance.unified.match;

import org.jspecify.annotations.NullMarked;
