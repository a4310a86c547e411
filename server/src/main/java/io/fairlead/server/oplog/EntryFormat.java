// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.commit.Change;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * How a change looks as the head of a log entry: {@code op}, {@code ns}, {@code ui}, {@code o},
 * {@code o2}.
 */
final class EntryFormat {
  private EntryFormat() {}

  /** An update is written as the whole document after it, MongoDB's replacement style. */
  static BsonDocument describe(Change change) {
    return switch (change) {
      case Change.Inserted inserted ->
          head("i", inserted.namespace().toString(), inserted.collection())
              .append("o", inserted.document())
              .append("o2", id(inserted.document()));
      case Change.Updated updated ->
          withImage(
              updated.images(),
              head("u", updated.namespace().toString(), updated.collection())
                  .append("o", updated.after())
                  .append("o2", id(updated.after())));
      case Change.Deleted deleted ->
          withImage(
              deleted.images(),
              head("d", deleted.namespace().toString(), deleted.collection())
                  .append("o", id(deleted.before())));
      case Change.CollectionCreated created -> {
        BsonDocument command = new BsonDocument("create", name(created.namespace()));
        created.options().declared().forEach(command::append);
        yield command(created.namespace(), created.collection(), command);
      }
      case Change.CollectionDropped dropped ->
          command(
                  dropped.namespace(),
                  dropped.collection(),
                  new BsonDocument("drop", name(dropped.namespace())))
              .append("o2", new BsonDocument("numRecords", new BsonInt64(dropped.documents())));
      case Change.CollectionRenamed renamed -> {
        UUID target = renamed.droppedTarget();
        BsonValue dropTarget = target == null ? BsonBoolean.FALSE : new BsonBinary(target);
        yield command(
            renamed.namespace(),
            renamed.collection(),
            new BsonDocument("renameCollection", new BsonString(renamed.namespace().toString()))
                .append("to", new BsonString(renamed.to().toString()))
                .append("dropTarget", dropTarget));
      }
      case Change.CollectionModified modified -> {
        BsonDocument command = new BsonDocument("collMod", name(modified.namespace()));
        modified.command().forEach(command::append);
        yield command(modified.namespace(), modified.collection(), command);
      }
      case Change.IndexCreated created -> {
        BsonDocument command = new BsonDocument("createIndexes", name(created.namespace()));
        created.index().forEach(command::append);
        yield command(created.namespace(), created.collection(), command);
      }
      case Change.IndexDropped dropped ->
          command(
                  dropped.namespace(),
                  dropped.collection(),
                  new BsonDocument("dropIndexes", name(dropped.namespace()))
                      .append("index", dropped.index().get("name")))
              .append("o2", dropped.index());
      case Change.DatabaseDropped dropped ->
          new BsonDocument("op", new BsonString("c"))
              .append("ns", new BsonString(dropped.namespace().database() + ".$cmd"))
              .append("o", new BsonDocument("dropDatabase", new BsonInt64(1)));
    };
  }

  private static BsonDocument withImage(boolean images, BsonDocument entry) {
    return images ? entry.append(PreImages.FIELD, BsonBoolean.TRUE) : entry;
  }

  static BsonDocument note(BsonDocument object) {
    return new BsonDocument("op", new BsonString("n"))
        .append("ns", new BsonString(""))
        .append("o", object);
  }

  private static BsonDocument command(Namespace namespace, UUID collection, BsonDocument command) {
    return head("c", namespace.database() + ".$cmd", collection).append("o", command);
  }

  private static BsonDocument head(String operation, String namespace, UUID collection) {
    return new BsonDocument("op", new BsonString(operation))
        .append("ns", new BsonString(namespace))
        .append("ui", new BsonBinary(collection));
  }

  private static BsonString name(Namespace namespace) {
    return new BsonString(namespace.collection());
  }

  private static BsonDocument id(BsonDocument document) {
    return new BsonDocument("_id", document.get("_id"));
  }

  static int statementOf(Change change) {
    return switch (change) {
      case Change.Inserted inserted -> inserted.statement();
      case Change.Updated updated -> updated.statement();
      case Change.Deleted deleted -> deleted.statement();
      case Change.CollectionCreated ddl -> Change.NO_STATEMENT;
      case Change.CollectionDropped ddl -> Change.NO_STATEMENT;
      case Change.CollectionRenamed ddl -> Change.NO_STATEMENT;
      case Change.CollectionModified ddl -> Change.NO_STATEMENT;
      case Change.IndexCreated ddl -> Change.NO_STATEMENT;
      case Change.IndexDropped ddl -> Change.NO_STATEMENT;
      case Change.DatabaseDropped ddl -> Change.NO_STATEMENT;
    };
  }
}
