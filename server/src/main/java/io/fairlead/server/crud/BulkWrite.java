// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.NullArguments;
import io.fairlead.server.command.ShallowDocument;
import io.fairlead.server.cursor.CursorReplies;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code bulkWrite}: inserts, updates and deletes of several collections in one command, answered
 * by a cursor.
 */
final class BulkWrite {
  private static final Set<String> INSERT_FIELDS = Set.of("insert", "document");
  private static final Set<String> UPDATE_FIELDS =
      Set.of(
          "update",
          "filter",
          "updateMods",
          "multi",
          "upsert",
          "arrayFilters",
          "hint",
          "collation",
          "constants",
          "sort");
  private static final Set<String> DELETE_FIELDS =
      Set.of("delete", "filter", "multi", "hint", "collation");

  private static final Set<String> UNTYPED = Set.of("updateMods", "hint");

  private BulkWrite() {}

  /** What kind an operation is, and how it is done. */
  private record Operation(String kind, Statement statement) {}

  static BsonDocument run(CommandContext context) {
    List<Namespace> namespaces = namespaces(context);
    BsonDocument let = Arguments.optionalDocument(context.body(), "let");
    boolean retryable = context.isRetryableWrite();
    List<Operation> operations = new ArrayList<>();
    for (BsonDocument operation : context.requiredDocuments("ops")) {
      BsonDocument given = NullArguments.leaveOut(ShallowDocument.of(operation), UNTYPED);
      operations.add(parse(given, namespaces, let, retryable));
    }
    WriteBatch.Outcome outcome =
        WriteBatch.run(context, operations.stream().map(Operation::statement).toList());
    return reply(context, operations, outcome);
  }

  private static List<Namespace> namespaces(CommandContext context) {
    List<Namespace> namespaces = new ArrayList<>();
    for (BsonDocument info : context.requiredDocuments("nsInfo")) {
      BsonValue name = info.get("ns");
      if (name == null) {
        throw Failures.missing("bulkWrite.nsInfo.ns");
      }
      Namespace namespace = Namespace.parse(Arguments.string("bulkWrite.nsInfo.ns", name));
      if (namespace.database().isEmpty() || namespace.collection().isEmpty()) {
        throw Failures.of(73, "Invalid namespace specified for bulkWrite: '" + namespace + "'");
      }
      namespaces.add(namespace);
    }
    return namespaces;
  }

  private static Operation parse(
      BsonDocument operation,
      List<Namespace> namespaces,
      @Nullable BsonDocument let,
      boolean retryable) {
    String kind = operation.isEmpty() ? "" : operation.getFirstKey();
    return switch (kind) {
      case "insert" -> {
        Update.requireKnown("bulkWrite.ops", operation, INSERT_FIELDS);
        BsonDocument document = required(operation, "document");
        Namespace namespace = namespace(operation, kind, namespaces);
        yield new Operation(kind, new InsertStatement(namespace, document));
      }
      case "update" -> {
        Update.requireKnown("bulkWrite.ops", operation, UPDATE_FIELDS);
        Namespace namespace = namespace(operation, kind, namespaces);
        UpdateRequest request = Update.request(asUpdate(operation), let);
        yield new Operation(
            kind, transaction -> Update.apply(transaction, namespace, request, retryable));
      }
      case "delete" -> {
        Update.requireKnown("bulkWrite.ops", operation, DELETE_FIELDS);
        Namespace namespace = namespace(operation, kind, namespaces);
        DeleteRequest request = Delete.request(asDelete(operation), let);
        yield new Operation(
            kind, transaction -> Delete.apply(transaction, namespace, request, retryable));
      }
      default ->
          throw Failures.of(
              2, "Unrecognized bulkWrite op type, please specify an insert, update or delete");
    };
  }

  private static Namespace namespace(
      BsonDocument operation, String kind, List<Namespace> namespaces) {
    BsonValue position = operation.get(kind);
    long index = position == null ? -1 : Arguments.integer("bulkWrite.ops." + kind, position);
    if (index < 0 || index >= namespaces.size()) {
      throw Failures.of(2, "BulkWrite ops entry has an invalid nsInfo index: " + index);
    }
    return namespaces.get((int) index);
  }

  private static BsonDocument required(BsonDocument operation, String field) {
    BsonValue value = operation.get(field);
    if (value == null) {
      throw Failures.missing("bulkWrite.ops." + field);
    }
    return Arguments.document("bulkWrite.ops." + field, value);
  }

  /** The operation as an element of the update command. */
  private static BsonDocument asUpdate(BsonDocument operation) {
    BsonValue change = operation.get("updateMods");
    if (change == null) {
      throw Failures.missing("bulkWrite.ops.updateMods");
    }
    BsonDocument update = new BsonDocument("q", required(operation, "filter")).append("u", change);
    copy(operation, update, "multi", "upsert", "arrayFilters", "hint", "collation", "sort");
    BsonValue constants = operation.get("constants");
    return constants == null ? update : update.append("c", constants);
  }

  /** The operation as an element of the delete command. */
  private static BsonDocument asDelete(BsonDocument operation) {
    BsonDocument delete =
        new BsonDocument("q", required(operation, "filter"))
            .append("limit", new BsonInt32(Arguments.flag(operation, "multi") ? 0 : 1));
    copy(operation, delete, "hint", "collation");
    return delete;
  }

  private static void copy(BsonDocument from, BsonDocument to, String... fields) {
    for (String field : fields) {
      BsonValue value = from.get(field);
      if (value != null) {
        to.append(field, value);
      }
    }
  }

  private static BsonDocument reply(
      CommandContext context, List<Operation> operations, WriteBatch.Outcome outcome) {
    long inserted = 0;
    long matched = 0;
    long modified = 0;
    long upserted = 0;
    long deleted = 0;
    TreeMap<Integer, BsonDocument> each = new TreeMap<>();
    for (int index = 0; index < operations.size(); index++) {
      String kind = operations.get(index).kind();
      Statement.Result result = outcome.results().get(index);
      if (result == null) {
        continue;
      }
      switch (kind) {
        case "insert" -> inserted += result.n();
        case "delete" -> deleted += result.n();
        default -> {
          modified += result.modified();
          upserted += result.upsertedId() == null ? 0 : 1;
          matched += result.upsertedId() == null ? result.n() : 0;
        }
      }
      each.put(index, success(index, kind, result));
    }
    if (Arguments.flag(context.body(), "errorsOnly")) {
      each.clear();
    }
    outcome
        .errors()
        .forEach(
            (index, failure) ->
                each.put(index, error(index, operations.get(index).kind(), failure)));
    BsonDocument reply =
        CursorReplies.open(
            context,
            Namespace.of("admin", "$cmd.bulkWrite"),
            CursorReplies.batchSize("bulkWrite", context.get("cursor"), Integer.MAX_VALUE),
            List.copyOf(each.values()));
    return reply
        .append("nErrors", new BsonInt32(outcome.errors().size()))
        .append("nInserted", WriteReplies.number(inserted))
        .append("nMatched", WriteReplies.number(matched))
        .append("nModified", WriteReplies.number(modified))
        .append("nUpserted", WriteReplies.number(upserted))
        .append("nDeleted", WriteReplies.number(deleted));
  }

  private static BsonDocument success(int index, String kind, Statement.Result result) {
    BsonDocument document =
        new BsonDocument("ok", new BsonDouble(1))
            .append("idx", new BsonInt32(index))
            .append("n", WriteReplies.number(result.n()));
    if (kind.equals("update")) {
      document.append("nModified", WriteReplies.number(result.modified()));
      if (result.upsertedId() != null) {
        document.append("upserted", new BsonDocument("_id", result.upsertedId()));
      }
    }
    return document;
  }

  private static BsonDocument error(int index, String kind, EngineException failure) {
    BsonDocument document =
        new BsonDocument("ok", new BsonDouble(0))
            .append("idx", new BsonInt32(index))
            .append("code", new BsonInt32(failure.code()));
    failure.details().forEach(document::append);
    document.append("errmsg", new BsonString(failure.message())).append("n", new BsonInt32(0));
    return kind.equals("update") ? document.append("nModified", new BsonInt32(0)) : document;
  }
}
