// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.bytes.Splice;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code bulkWrite}: operations on several collections, wherever these are. They go out as the
 * inserts, updates and deletes that they are: in runs of neighbours of one kind and collection
 * where their order matters, else all of one kind and collection together. An update or delete
 * whose own result is asked for goes alone, because the reply to several gives only their sum. Each
 * statement keeps the id that it has in the client's command, so that a bulk write sent again is
 * recognised wherever its parts go.
 */
final class BulkWriteCommand implements Command {

  private static final int OPERATIONS_MAX = 100_000;
  private static final String NAMESPACE = "admin.$cmd.bulkWrite";
  private static final List<String> PASSED_ON =
      List.of(
          "lsid",
          "txnNumber",
          "$clusterTime",
          "apiVersion",
          "apiStrict",
          "apiDeprecationErrors",
          "comment",
          "maxTimeMS",
          "writeConcern");

  private final Asking asking;
  private final Map<WriteCommand.Kind, Command> commands = new EnumMap<>(WriteCommand.Kind.class);

  BulkWriteCommand(Asking asking) {
    this.asking = asking;
    for (WriteCommand.Kind kind : WriteCommand.Kind.values()) {
      commands.put(kind, new WriteCommand(asking, kind));
    }
  }

  /** Operations that go out as one command. */
  private record Run(WriteCommand.Kind kind, Namespace namespace, List<Integer> indexes) {}

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
    ServerCommands.requireAdmin(request);
    request.requireOnly(
        "ops",
        "nsInfo",
        "ordered",
        "let",
        "bypassDocumentValidation",
        "errorsOnly",
        "cursor",
        "stmtId",
        "stmtIds");
    List<BulkWriteOperation> operations = operations(request);
    long[] ids = request.statementIds(operations.size());
    boolean ordered = !request.has("ordered") || request.flag("ordered");
    boolean errorsOnly = request.flag("errorsOnly");
    BulkWriteResults results = new BulkWriteResults(errorsOnly);
    Iterator<Run> runs = runs(operations, ordered, errorsOnly).iterator();
    while (runs.hasNext() && !(ordered && results.hasErrors())) {
      send(request, runs.next(), operations, ids, ordered, results);
    }
    return reply(request, results);
  }

  private static List<BulkWriteOperation> operations(Request request) {
    List<Namespace> namespaces = new ArrayList<>();
    for (RawBsonDocument info : request.documents("nsInfo")) {
      namespaces.add(namespace(info.get("ns")));
    }
    List<BulkWriteOperation> operations = new ArrayList<>();
    for (RawBsonDocument operation : request.documents("ops")) {
      operations.add(BulkWriteOperation.parse(operation, namespaces));
    }
    if (operations.isEmpty() || operations.size() > OPERATIONS_MAX) {
      throw new EngineException(
          16,
          "Write batch sizes must be between 1 and "
              + OPERATIONS_MAX
              + ". Got "
              + operations.size()
              + " operations.");
    }
    return operations;
  }

  private static Namespace namespace(@Nullable BsonValue name) {
    if (!(name instanceof BsonString text)) {
      throw new EngineException(
          40414, "BSON field 'bulkWrite.nsInfo.ns' is missing but a required field");
    }
    Namespace namespace = Namespace.parse(text.getValue());
    if (namespace.database().isEmpty() || namespace.collection().isEmpty()) {
      throw new EngineException(
          73, "Invalid namespace specified for bulkWrite: '" + namespace + "'");
    }
    return namespace;
  }

  private static List<Run> runs(
      List<BulkWriteOperation> operations, boolean ordered, boolean errorsOnly) {
    List<Run> runs = new ArrayList<>();
    Map<Map.Entry<WriteCommand.Kind, Namespace>, Run> open = new LinkedHashMap<>();
    for (int index = 0; index < operations.size(); index++) {
      BulkWriteOperation operation = operations.get(index);
      var what = Map.entry(operation.kind(), operation.namespace());
      boolean alone = !errorsOnly && operation.kind() != WriteCommand.Kind.INSERT;
      Run run = alone ? null : open.get(what);
      if (run == null) {
        run = new Run(operation.kind(), operation.namespace(), new ArrayList<>());
        runs.add(run);
        if (ordered) {
          open.clear();
        }
        if (!alone) {
          open.put(what, run);
        }
      }
      run.indexes().add(index);
    }
    return runs;
  }

  private void send(
      Request request,
      Run run,
      List<BulkWriteOperation> operations,
      long[] ids,
      boolean ordered,
      BulkWriteResults results)
      throws InterruptedException {
    Request part = part(request, run, operations, ids, ordered);
    try {
      BsonDocument reply = command(run.kind()).run(part);
      results.add(run.kind(), run.indexes(), reply, ordered);
      request.times().observe(reply);
    } catch (ReplyException failed) {
      if (request.isRetryableWrite() && failed.isRetryableWriteError()) {
        throw failed;
      }
      fail(run, failed, ordered, results);
    } catch (EngineException refused) {
      fail(run, ReplyException.of(refused), ordered, results);
    }
  }

  private Command command(WriteCommand.Kind kind) {
    Command command = commands.get(kind);
    if (command == null) {
      throw new IllegalStateException("no command for " + kind);
    }
    return command;
  }

  private static void fail(
      Run run, ReplyException failed, boolean ordered, BulkWriteResults results) {
    for (int index : ordered ? run.indexes().subList(0, 1) : run.indexes()) {
      BsonDocument error =
          new BsonDocument("code", new BsonInt32(failed.code()))
              .append("errmsg", new BsonString(String.valueOf(failed.getMessage())));
      results.fail(index, error);
    }
  }

  private static Request part(
      Request request, Run run, List<BulkWriteOperation> operations, long[] ids, boolean ordered) {
    String name = run.kind().name().toLowerCase(Locale.ROOT);
    BsonDocument command =
        new BsonDocument(name, new BsonString(run.namespace().collection()))
            .append("$db", new BsonString(run.namespace().database()))
            .append("ordered", BsonBoolean.valueOf(ordered));
    PASSED_ON.forEach(field -> passOn(request, field, command, true));
    passOn(request, "let", command, run.kind() != WriteCommand.Kind.INSERT);
    passOn(request, "bypassDocumentValidation", command, run.kind() != WriteCommand.Kind.DELETE);
    if (request.isRetryableWrite()) {
      BsonArray own = new BsonArray(run.indexes().size());
      run.indexes().forEach(index -> own.add(new BsonInt32((int) ids[index])));
      command.append("stmtIds", own);
    }
    List<RawBsonDocument> statements =
        run.indexes().stream().map(index -> operations.get(index).statement()).toList();
    return request.madeOf(
        Message.command(command, List.of(new DocumentSequence(run.kind().field, statements))));
  }

  private static void passOn(Request request, String field, BsonDocument command, boolean takesIt) {
    BsonValue value = takesIt ? request.get(field) : null;
    if (value != null) {
      command.append(field, value);
    }
  }

  private BsonDocument reply(Request request, BulkWriteResults results) {
    long size =
        request.document("cursor").get("batchSize") instanceof BsonNumber given
            ? given.longValue()
            : Integer.MAX_VALUE;
    DocumentCursor documents =
        DocumentCursor.of(results.each().stream().map(Splice::raw).iterator());
    return results.addTo(asking.firstBatch(request, NAMESPACE, documents, size, false, 0));
  }
}
