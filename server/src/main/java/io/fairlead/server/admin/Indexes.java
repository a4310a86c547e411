// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.WriteTransaction.CreateIndexesOutcome;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Creates and drops indexes. */
final class Indexes {
  private Indexes() {}

  static BsonDocument create(CommandContext context) {
    Namespace namespace = context.namespace();
    List<BsonDocument> declared = context.requiredDocuments("indexes");
    if (declared.isEmpty()) {
      throw Failures.of(2, "Must specify at least one index to create");
    }
    List<IndexSpec> specs = new ArrayList<>();
    for (BsonDocument index : declared) {
      specs.add(new IndexSpec(index));
    }
    context.coordinator().requireWritablePrimary();
    CreateIndexesOutcome outcome =
        context
            .server()
            .engine()
            .withPreparedIndexes(
                namespace,
                specs,
                () -> context.write(transaction -> transaction.createIndexes(namespace, specs)));
    BsonDocument reply =
        new BsonDocument("numIndexesBefore", new BsonInt32(outcome.before()))
            .append("numIndexesAfter", new BsonInt32(outcome.after()))
            .append(
                "createdCollectionAutomatically", BsonBoolean.valueOf(outcome.createdCollection()));
    if (outcome.before() == outcome.after()) {
      reply.append("note", new BsonString("all indexes already exist"));
    }
    return reply;
  }

  static BsonDocument drop(CommandContext context) {
    Namespace namespace = context.namespace();
    BsonValue index = context.get("index");
    if (index == null) {
      throw Failures.missing("dropIndexes.index");
    }
    List<BsonValue> wanted = wanted(index);
    int before =
        context.write(
            transaction -> {
              int most = 0;
              for (BsonValue one : wanted) {
                most = Math.max(most, transaction.dropIndexes(namespace, one));
              }
              return most;
            });
    return new BsonDocument("nIndexesWas", new BsonInt32(before));
  }

  private static List<BsonValue> wanted(BsonValue index) {
    if (index.isString() || index.isDocument()) {
      return List.of(index);
    }
    if (!index.isArray()) {
      throw Failures.wrongType("dropIndexes.index", index, "string, object or array");
    }
    BsonArray names = index.asArray();
    if (names.isEmpty()) {
      throw Failures.of(2, "BSON field 'dropIndexes.index' must name at least one index");
    }
    for (BsonValue name : names) {
      if (Arguments.string("dropIndexes.index", name).equals("*")) {
        throw Failures.of(27, "index not found with name [*]: '*' stands alone");
      }
    }
    return List.copyOf(names);
  }
}
