// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.WriteTransaction;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Repeats what an entry describes. Entries are applied in their order, to the very state they were
 * written on, so that nothing has to be forgiven: what cannot be applied is an error.
 */
public final class EntryApplier {
  private final WriteTransaction transaction;

  public EntryApplier(WriteTransaction transaction) {
    this.transaction = transaction;
  }

  /** Applies the entry's change; the entry itself is not written to the log. */
  public void apply(OplogEntry entry) {
    if (entry.isTransaction()) {
      operations(entry);
    } else {
      apply(entry, entry, 0);
    }
  }

  private void apply(OplogEntry entry, OplogEntry whole, int index) {
    if (entry.document().containsKey(PreImages.FIELD)) {
      PreImages.recordApplied(transaction, entry, whole, index);
    }
    switch (entry.operation()) {
      case "i", "u" -> transaction.put(entry.namespace(), entry.object());
      case "d" -> {
        BsonValue id = entry.object().get("_id");
        if (id == null || !transaction.deleteById(entry.namespace(), id)) {
          throw new IllegalStateException(
              "the document to delete is not there: " + entry.document());
        }
      }
      case "c" -> command(entry.namespace().database(), entry.collection(), entry.object());
      case "n" -> {
        // opens a term or keeps an image
      }
      default ->
          throw new IllegalStateException("unknown operation in the log: " + entry.document());
    }
  }

  private void command(String database, @Nullable UUID collection, BsonDocument command) {
    String name = command.getFirstKey();
    switch (name) {
      case "create" ->
          transaction.createCollection(target(database, command), options(command, collection));
      case "drop" -> transaction.dropCollection(target(database, command));
      case "renameCollection" ->
          transaction.renameCollection(
              Namespace.parse(command.getString("renameCollection").getValue()),
              Namespace.parse(command.getString("to").getValue()),
              command.isBinary("dropTarget"));
      case "collMod" -> transaction.modifyCollection(target(database, command), rest(command));
      case "createIndexes" ->
          transaction.createIndexes(
              target(database, command), List.of(new IndexSpec(rest(command))));
      case "dropIndexes" ->
          transaction.dropIndexes(
              target(database, command), new BsonString(command.getString("index").getValue()));
      case "dropDatabase" -> transaction.dropDatabase(database);
      default -> throw new IllegalStateException("unknown command in the log: " + command);
    }
  }

  /** What a transaction wrote, in its order. */
  private void operations(OplogEntry whole) {
    int index = 0;
    for (BsonValue operation : whole.object().getArray("applyOps")) {
      apply(
          new OplogEntry(
              operation instanceof RawBsonDocument raw
                  ? raw
                  : new RawBsonDocument(operation.asDocument(), new BsonDocumentCodec())),
          whole,
          index++);
    }
  }

  private static Namespace target(String database, BsonDocument command) {
    return Namespace.of(database, command.getString(command.getFirstKey()).getValue());
  }

  private static CollectionOptions options(BsonDocument command, @Nullable UUID collection) {
    return CollectionOptions.of(rest(command)).withUuid(collection);
  }

  private static BsonDocument rest(BsonDocument command) {
    BsonDocument rest = new BsonDocument();
    String name = command.getFirstKey();
    command.forEach(
        (field, value) -> {
          if (!field.equals(name)) {
            rest.append(field, value);
          }
        });
    return rest;
  }
}
