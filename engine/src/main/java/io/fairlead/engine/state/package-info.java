// SPDX-License-Identifier: Apache-2.0
/** The engine's state as one value, and the one place where a commit replaces it. */
@NullMarked
package io.fairlead.engine.state;

import org.jspecify.annotations.NullMarked;
