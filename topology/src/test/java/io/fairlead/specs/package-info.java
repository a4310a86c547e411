/**
 * Finds MongoDB's public specification files and makes a test of each. Start at {@link io.fairlead.specs.Specification}. Part of
 * this module's test jar, so that every module that runs such files finds them in the same way.
 */
@NullMarked
package io.fairlead.specs;

import org.jspecify.annotations.NullMarked;
