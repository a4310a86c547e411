// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.GenericArguments;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Creates, drops, renames and changes collections. */
final class Collections {
  private Collections() {}

  static BsonDocument create(CommandContext context) {
    Namespace namespace = context.namespace();
    CollectionOptions options = CollectionOptions.of(own(context.body()));
    return context.write(
        transaction -> {
          transaction.createCollection(namespace, options);
          return new BsonDocument();
        });
  }

  static BsonDocument drop(CommandContext context) {
    Namespace namespace = context.namespace();
    return context.write(
        transaction -> {
          Optional<CollectionInfo> info = transaction.snapshot().collection(namespace);
          BsonDocument reply = new BsonDocument();
          if (info.isPresent() && !info.get().isView()) {
            int indexes = transaction.snapshot().indexes(namespace).size();
            reply.append("nIndexesWas", new BsonInt32(indexes));
          }
          return transaction.dropCollection(namespace)
              ? reply.append("ns", new BsonString(namespace.toString()))
              : new BsonDocument();
        });
  }

  static BsonDocument dropDatabase(CommandContext context) {
    String database = context.database();
    if (database.equals("admin") || database.equals("config") || database.equals("local")) {
      throw Failures.of(20, "Dropping the '" + database + "' database is prohibited.");
    }
    return context.write(
        transaction ->
            transaction.dropDatabase(database)
                ? new BsonDocument("dropped", new BsonString(database))
                : new BsonDocument());
  }

  static BsonDocument rename(CommandContext context) {
    Namespace from = full("renameCollection", context.subject());
    BsonValue target = context.get("to");
    if (target == null) {
      throw Failures.missing("renameCollection.to");
    }
    Namespace to = full("to", target);
    if (from.equals(to)) {
      throw Failures.of(20, "Can't rename a collection to itself");
    }
    boolean dropTarget = Arguments.flag(context.body(), "dropTarget");
    return context.write(
        transaction -> {
          transaction.renameCollection(from, to, dropTarget);
          return new BsonDocument();
        });
  }

  static BsonDocument modify(CommandContext context) {
    Namespace namespace = context.namespace();
    BsonDocument modification = own(context.body());
    return context.write(transaction -> transaction.modifyCollection(namespace, modification));
  }

  private static Namespace full(String field, BsonValue value) {
    Namespace namespace = Namespace.parse(Arguments.string(field, value));
    if (namespace.collection().isEmpty() || namespace.database().isEmpty()) {
      throw Failures.of(73, "Invalid namespace specified '" + namespace + "'");
    }
    return namespace;
  }

  /** The command's fields without its own name and the generic arguments. */
  private static BsonDocument own(BsonDocument body) {
    BsonDocument own = new BsonDocument();
    body.forEach(
        (name, value) -> {
          if (!name.equals(body.getFirstKey()) && !GenericArguments.isGeneric(name)) {
            own.append(name, value);
          }
        });
    return own;
  }
}
