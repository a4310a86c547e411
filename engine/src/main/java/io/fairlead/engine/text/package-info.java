// SPDX-License-Identifier: Apache-2.0
/**
 * Text search. {@link io.fairlead.engine.text.TextIndexOptions} says what of a document is text and
 * scores its words, {@link io.fairlead.engine.text.TextQuery} is the operand of {@code $text}, and
 * {@link io.fairlead.engine.text.TextSearch} is both together: which words to look up, and whether
 * a document found by them matches.
 *
 * <p>Words are cut, stemmed and freed of stop words per {@link
 * io.fairlead.engine.text.TextLanguage}. Scores follow MongoDB's text index version 3.
 */
@NullMarked
package io.fairlead.engine.text;

import org.jspecify.annotations.NullMarked;
