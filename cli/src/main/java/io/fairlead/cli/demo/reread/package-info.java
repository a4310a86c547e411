// SPDX-License-Identifier: Apache-2.0
/**
 * An entity read from a lagging near member in its older state is read again from the primary, or
 * is found to be gone.
 */
@NullMarked
package io.fairlead.cli.demo.reread;

import org.jspecify.annotations.NullMarked;
