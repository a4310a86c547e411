// SPDX-License-Identifier: Apache-2.0
/**
 * The runner of MongoDB's unified test format, written on the interfaces of {@code
 * com.mongodb.client} and its listeners, so that one runner judges any client against any server.
 *
 * <pre>
 *   format     a file becomes typed values, or is refused
 *   match      expected against actual
 *   entity     what a test names: clients, collections, sessions, cursors …
 *   operation  what a test does with them
 *   run        suites, deployments, verdicts, the report; start at SpecificationSuites
 * </pre>
 */
@NullMarked
package io.fairlead.conformance.unified;

import org.jspecify.annotations.NullMarked;
