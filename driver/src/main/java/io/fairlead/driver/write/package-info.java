// SPDX-License-Identifier: Apache-2.0
/**
 * Inserts, updates and deletes, single and in bulk: statements, cut into batches that the selected
 * server takes, and their outcomes put together again. Start at {@link
 * io.fairlead.driver.write.Writes}.
 */
@NullMarked
package io.fairlead.driver.write;

import org.jspecify.annotations.NullMarked;
