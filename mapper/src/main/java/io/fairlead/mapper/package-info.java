// SPDX-License-Identifier: Apache-2.0
/**
 * Entities on {@code com.mongodb.client}, whoever implements it. Start at {@link
 * io.fairlead.mapper.Mapper}.
 *
 * <pre>
 *   &#64;Entity &#64;Id &#64;DefaultReadPreference   what a record or class says about itself
 *   Mapper   save · get · find · delete · reread
 *   Reread   what became of an entity: stored, or gone
 *   codec    records and classes as documents, on the public codecs
 * </pre>
 *
 * Knows nothing of how a client works, and routes nothing: it says what it wants read from where.
 */
@NullMarked
package io.fairlead.mapper;

import org.jspecify.annotations.NullMarked;
