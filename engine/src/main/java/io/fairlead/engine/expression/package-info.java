// SPDX-License-Identifier: Apache-2.0
/**
 * Aggregation expressions. Start at {@link io.fairlead.engine.expression.Expression}.
 *
 * <pre>
 *   BSON ── ExpressionParser ──► Node tree ── evaluate(Scope) ──► value, or null for missing
 *              Operators: every operator by name; a family registers its own
 *
 *   numbers    Arithmetic Rounding RealFunctions Trigonometry Bitwise    DecimalMath: 34 digits
 *   strings    Strings Substrings RegexOperators
 *   dates      Dates DateArithmetic DateTexts                            DateReader reads, DateFormat writes
 *   arrays     Arrays SortedArrays Pairs Sets                            objects: Objects
 *   types      Types ConvertNode BinaryConversion
 *   the rest   Logic Variables AccumulatorOperators
 * </pre>
 */
@NullMarked
package io.fairlead.engine.expression;

import org.jspecify.annotations.NullMarked;
