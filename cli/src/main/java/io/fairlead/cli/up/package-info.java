// SPDX-License-Identifier: Apache-2.0
/** {@code fairlead up}: an embedded cluster that runs until it is told to stop. */
@NullMarked
package io.fairlead.cli.up;

import org.jspecify.annotations.NullMarked;
