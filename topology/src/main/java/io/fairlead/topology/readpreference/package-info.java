// SPDX-License-Identifier: Apache-2.0
/**
 * What a read asks for ({@link ReadPreference}), what it is really performed with and how it
 * travels ({@link EffectiveReadPreference}).
 */
@NullMarked
package io.fairlead.topology.readpreference;

import org.jspecify.annotations.NullMarked;
