// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper.codec;

import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecProvider;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** Provides a {@link RecordCodec} for every record. */
final class RecordCodecProvider implements CodecProvider {
  @Override
  public <T> @Nullable Codec<T> get(Class<T> type, CodecRegistry registry) {
    return type.isRecord() ? RecordCodec.of(type, registry) : null;
  }
}
