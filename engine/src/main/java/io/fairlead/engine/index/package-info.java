// SPDX-License-Identifier: Apache-2.0
/**
 * Indexes: {@link io.fairlead.engine.index.IndexSpec} is the wish, {@link
 * io.fairlead.engine.index.IndexRules} says whether it can be, {@link
 * io.fairlead.engine.index.IndexConflicts} whether it can be beside the others, {@link
 * io.fairlead.engine.index.IndexDefinition} is the index.
 *
 * <pre>
 *   ordered    KeyReader                          the values themselves; KeyValues reads them back
 *   special    ProductKeys over a KeyPart each    PlainPart HashedPart GeoPart WildcardPart TextPart
 * </pre>
 *
 * Both are {@link io.fairlead.engine.index.IndexKeys}: what a document has for keys. An index of a
 * special kind only narrows; what it finds is looked at again.
 */
@NullMarked
package io.fairlead.engine.index;

import org.jspecify.annotations.NullMarked;
