// SPDX-License-Identifier: Apache-2.0
/**
 * Reading and writing documents. Each command parses its own arguments into the engine's requests.
 *
 * <pre>
 *   find, aggregate, count, distinct → Snapshot → cursor.CursorReplies
 *   insert, update, delete           → Statement per document or change → WriteBatch → WriteReplies
 *   findAndModify                    → one statement with an image for its retry
 *   explain                          → the plan of any of them
 * </pre>
 */
@NullMarked
package io.fairlead.server.crud;

import org.jspecify.annotations.NullMarked;
