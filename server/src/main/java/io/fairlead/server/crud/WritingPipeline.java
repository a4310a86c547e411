// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.replication.WriteOrigin;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * A pipeline that ends in {@code $out} or {@code $merge}: what comes before runs on the snapshot,
 * and its documents are then written through the coordinator like any other write.
 */
final class WritingPipeline {
  private WritingPipeline() {}

  static boolean writes(AggregateRequest request) {
    if (request.pipeline().isEmpty()) {
      return false;
    }
    BsonDocument last = request.pipeline().getLast();
    return last.containsKey("$out") || last.containsKey("$merge");
  }

  /** What comes before the last stage. */
  static DocumentCursor documents(
      CommandContext context, Namespace source, AggregateRequest request)
      throws InterruptedException {
    AggregateRequest reading =
        new AggregateRequest(
            request.pipeline().subList(0, request.pipeline().size() - 1),
            request.hint(),
            request.collation(),
            request.let());
    OperationContext evaluation = evaluation(context, request);
    Snapshot snapshot = context.readSnapshot();
    return ServerStages.begins(reading)
        ? ServerStages.run(context, source, reading, snapshot, evaluation)
        : snapshot.aggregate(source, reading, evaluation);
  }

  private static OperationContext evaluation(CommandContext context, AggregateRequest request) {
    return request.let() == null
        ? context.evaluation()
        : LetVariables.bind(context.evaluation(), request.let());
  }

  static void run(CommandContext context, Namespace source, AggregateRequest request)
      throws InterruptedException {
    Pipeline writing =
        Pipeline.compile(
            List.of(request.pipeline().getLast()),
            new Pipeline.Target(source.database(), source.collection()),
            evaluation(context, request));
    try (DocumentCursor input = documents(context, source, request);
        DocumentCursor output = writing.run(input, new Writes(context))) {
      if (output.next() != null) {
        throw new IllegalStateException("a pipeline that writes gives no documents");
      }
    }
  }

  /** How the last stage writes. */
  private record Writes(CommandContext context) implements PipelineEnvironment {
    @Override
    public void replaceCollection(String database, String collection, DocumentCursor documents) {
      Namespace target = Namespace.of(database, collection);
      List<RawBsonDocument> all = new ArrayList<>();
      for (RawBsonDocument document = documents.next();
          document != null;
          document = documents.next()) {
        all.add(document);
      }
      context.write(
          WriteOrigins.of(context, WriteOrigin.Image.NONE),
          transaction -> {
            replace(transaction, target, all);
            return true;
          });
    }

    /** The new collection keeps the options and indexes of the old one. */
    private static void replace(
        WriteTransaction transaction, Namespace target, List<RawBsonDocument> documents) {
      var before = transaction.snapshot().collection(target);
      List<IndexSpec> indexes = new ArrayList<>();
      if (before.isPresent() && before.get().isView()) {
        throw Failures.of(166, "Namespace " + target + " is a view, not a collection");
      }
      if (before.isPresent()) {
        for (BsonDocument index : transaction.snapshot().indexes(target)) {
          if (!new BsonString("_id_").equals(index.get("name"))
              && !index.containsKey("clustered")) {
            indexes.add(new IndexSpec(index));
          }
        }
        transaction.dropCollection(target);
      }
      transaction.createCollection(
          target,
          before.map(info -> info.options().withUuid(null)).orElse(CollectionOptions.none()));
      if (!indexes.isEmpty()) {
        transaction.createIndexes(target, indexes);
      }
      for (RawBsonDocument document : documents) {
        transaction.insert(target, document);
      }
    }

    @Override
    public void merge(String database, String collection, List<MergeWrite> writes) {
      Namespace target = Namespace.of(database, collection);
      context.write(
          WriteOrigins.of(context, WriteOrigin.Image.NONE),
          transaction -> {
            for (MergeWrite write : writes) {
              mergeOne(transaction, target, write);
            }
            return true;
          });
    }

    private static void mergeOne(WriteTransaction transaction, Namespace target, MergeWrite write) {
      switch (write) {
        case MergeWrite.Insert insert -> transaction.insert(target, insert.document());
        case MergeWrite.Modify modify -> {
          UpdateRequest update =
              UpdateRequest.one(modify.filter(), modify.update())
                  .withUpsert(modify.upsert())
                  .withLet(LetVariables.literals(modify.let()));
          if (transaction.update(target, update).n() == 0 && modify.failUnmatched()) {
            throw Failures.of(
                13113,
                "$merge could not find a matching document in the target collection for at least"
                    + " one document");
          }
        }
      }
    }

    @Override
    public boolean hasUniqueIndex(String database, String collection, List<String> fields) {
      if (fields.equals(List.of("_id"))) {
        return true;
      }
      Namespace target = Namespace.of(database, collection);
      var snapshot = context.server().engine().snapshot();
      if (snapshot.collection(target).isEmpty()) {
        return false;
      }
      return snapshot.indexes(target).stream()
          .anyMatch(
              index ->
                  index.containsKey("unique")
                      && !index.containsKey("partialFilterExpression")
                      && index.getDocument("key").keySet().equals(new java.util.HashSet<>(fields)));
    }
  }
}
