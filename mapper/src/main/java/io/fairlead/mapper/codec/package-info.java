// SPDX-License-Identifier: Apache-2.0
/**
 * Records and classes as documents. Start at {@link io.fairlead.mapper.codec.EntityCodecs}. Classes
 * go through the public driver's POJO codecs, taught what {@link io.fairlead.mapper.Id} means;
 * records through {@link io.fairlead.mapper.codec.RecordCodec}. What lies within them is found in
 * the registry of the database.
 */
@NullMarked
package io.fairlead.mapper.codec;

import org.jspecify.annotations.NullMarked;
