// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import java.util.List;
import org.bson.BsonDocument;

/** Reads the keys that a document has in an index. Reusable; used by one thread. */
public interface IndexKeys {
  /**
   * The document's keys, ascending, each once. The list is only good until the next call.
   *
   * @throws io.fairlead.engine.error.EngineException when the document cannot be in the index: 171,
   *     16755, 16766 …
   */
  List<byte[]> keys(byte[] document);

  /**
   * What the document read last tells about the index: bit {@code i} is set when field {@code i}
   * gave it several keys, bit {@code 32 + i} when the field had a value that its key does not give
   * back.
   */
  long multikey();

  /**
   * The values of the document that make up {@code key}, as {@code {path: value, …}}: for messages,
   * and for those who ask for keys.
   */
  BsonDocument values(byte[] document, byte[] key);
}
