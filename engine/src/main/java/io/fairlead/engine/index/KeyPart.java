// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import java.util.List;
import org.bson.BsonDocument;

/** What one field of a special index makes of a document. */
interface KeyPart {
  /**
   * One of the field's contributions to the keys of a document.
   *
   * @param bytes none of which is the beginning of another
   * @param values by the names that the index has for them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared for equality
  record Piece(byte[] bytes, BsonDocument values) {}

  /** The pieces of a document; empty when the field contributes none. */
  List<Piece> pieces(byte[] document);

  /** Whether the document read last may have several keys because of this field. */
  boolean isMultikey();

  /** Whether a document for which all such fields contribute none is left out of the index. */
  boolean isSpecial();

  /** What stands in the place of a field that contributes none, when others do. */
  Piece absent();
}
