// SPDX-License-Identifier: Apache-2.0
/**
 * Everything that answers with more than one document: the iterables of the public interface, and
 * {@link io.fairlead.driver.cursor.ReplyCursor} under them all.
 */
@NullMarked
package io.fairlead.driver.cursor;

import org.jspecify.annotations.NullMarked;
