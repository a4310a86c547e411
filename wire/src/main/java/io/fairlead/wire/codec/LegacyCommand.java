// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Brings the command of an OP_QUERY into the form that OP_MSG has. */
final class LegacyCommand {

  private LegacyCommand() {}

  static RawBsonDocument normalised(RawBsonDocument query, String database, boolean secondaryOk) {
    BsonDocument command = new BsonDocument();
    boolean wrapped =
        !query.isEmpty()
            && (query.getFirstKey().equals("$query") || query.getFirstKey().equals("query"));
    BsonValue inner = wrapped ? query.get(query.getFirstKey()) : query;
    if (inner instanceof BsonDocument document) {
      document.forEach(command::put);
    }
    if (wrapped && query.get("$readPreference") instanceof BsonDocument preference) {
      command.put("$readPreference", preference);
    }
    if (secondaryOk && !command.containsKey("$readPreference")) {
      command.put(
          "$readPreference", new BsonDocument("mode", new BsonString("secondaryPreferred")));
    }
    command.put("$db", new BsonString(database));
    return new RawBsonDocument(command, new BsonDocumentCodec());
  }
}
