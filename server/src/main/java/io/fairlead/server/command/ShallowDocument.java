// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.engine.value.ElementCursor;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * A document's own fields, read once, with nested documents and arrays left as bytes: what a
 * command needs of its body, without decoding the documents that it carries.
 */
public final class ShallowDocument {
  private ShallowDocument() {}

  /**
   * The fields of the document, in order. A field that comes twice is refused with 40413.
   *
   * @param document when it is bytes, well-formed, as everything is that a channel has received
   */
  public static BsonDocument of(BsonDocument document) {
    if (!(document instanceof RawBsonDocument raw)) {
      return document;
    }
    BsonDocument fields = new BsonDocument();
    ElementCursor elements = new ElementCursor(raw);
    while (elements.next()) {
      String name = elements.name();
      if (fields.put(name, elements.value()) != null) {
        throw Failures.of(40413, "BSON field '" + name + "' is a duplicate field");
      }
    }
    return fields;
  }
}
