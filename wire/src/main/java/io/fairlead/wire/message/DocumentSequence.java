// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.util.List;
import org.bson.RawBsonDocument;

/**
 * A kind-1 section of an OP_MSG: the documents of one top-level array field of the command, sent
 * outside of its body. Immutable.
 *
 * @param identifier the name of the field, such as {@code documents}
 * @param documents in the order of the array
 */
public record DocumentSequence(String identifier, List<RawBsonDocument> documents) {

  public DocumentSequence {
    if (identifier.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the identifier of a document sequence holds no NUL character");
    }
    documents = List.copyOf(documents);
  }
}
