// SPDX-License-Identifier: Apache-2.0
/** The fairlead command. */
@NullMarked
package io.fairlead.cli;

import org.jspecify.annotations.NullMarked;
