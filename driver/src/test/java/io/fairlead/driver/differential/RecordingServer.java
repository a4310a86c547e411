// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.differential;

import io.fairlead.wire.listener.ConnectionService;
import io.fairlead.wire.listener.ListenerSettings;
import io.fairlead.wire.listener.Replies;
import io.fairlead.wire.listener.WireListener;
import io.fairlead.wire.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Says hello, keeps every other command, and answers each in the shape that its driver needs to go
 * on.
 */
final class RecordingServer implements AutoCloseable {
  private static final Set<String> OWN = Set.of("hello", "isMaster", "ismaster", "endSessions");
  private static final BsonDocumentCodec PLAIN = new BsonDocumentCodec();

  private final ConcurrentLinkedQueue<BsonDocument> commands = new ConcurrentLinkedQueue<>();
  private final boolean mongos;
  private final WireListener listener;

  RecordingServer(boolean mongos) {
    this.mongos = mongos;
    this.listener = WireListener.start(ListenerSettings.loopback(0), connection -> new Recording());
  }

  String address() {
    return "127.0.0.1:" + listener.port();
  }

  /** The commands since the last call. */
  List<BsonDocument> taken() {
    List<BsonDocument> taken = new ArrayList<>();
    for (BsonDocument each = commands.poll(); each != null; each = commands.poll()) {
      taken.add(each);
    }
    return taken;
  }

  @Override
  public void close() {
    listener.close();
  }

  private final class Recording implements ConnectionService {
    @Override
    public @Nullable BsonDocument handle(Message request, Replies more) {
      BsonDocument command = request.commandWithSequences();
      String name = command.getFirstKey();
      if (OWN.contains(name)) {
        return hello();
      }
      commands.add(new RawBsonDocument(command, PLAIN).decode(PLAIN));
      return reply(name, command);
    }

    @Override
    public void close() {
      // nothing is held
    }
  }

  private BsonDocument hello() {
    BsonDocument hello =
        BsonDocument.parse(
            """
            {ok: 1, isWritablePrimary: true, ismaster: true, helloOk: true, minWireVersion: 0, maxWireVersion: 25,
             maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000,
             logicalSessionTimeoutMinutes: 30, readOnly: false}
            """);
    if (mongos) {
      return hello.append("msg", new BsonString("isdbgrid"));
    }
    BsonString self = new BsonString(address());
    return hello
        .append("setName", new BsonString("rs"))
        .append("hosts", new BsonArray(List.of(self)))
        .append("me", self)
        .append("primary", self)
        .append("setVersion", new BsonInt64(1));
  }

  private static BsonDocument reply(String name, BsonDocument command) {
    String database = command.getString("$db").getValue();
    return switch (name) {
      case "find", "aggregate", "listIndexes" ->
          cursor(
              database + "." + collection(command, name),
              isShort(command) ? 0 : 1234,
              "firstBatch");
      case "listCollections" -> cursor(database + ".$cmd.listCollections", 0, "firstBatch");
      case "getMore" ->
          cursor(database + "." + command.getString("collection").getValue(), 0, "nextBatch");
      case "listDatabases" -> BsonDocument.parse("{ok: 1, databases: [{name: 'a'}], totalSize: 1}");
      case "mapReduce" -> BsonDocument.parse("{ok: 1, results: [{_id: 1, value: 1}]}");
      case "distinct" -> BsonDocument.parse("{ok: 1, values: [1]}");
      case "findAndModify" ->
          BsonDocument.parse("{ok: 1, value: {_id: 1}, lastErrorObject: {n: 1}}");
      default -> BsonDocument.parse("{ok: 1, n: 1, nModified: 1}");
    };
  }

  /** Whether a real server would have said it all in one batch. */
  private static boolean isShort(BsonDocument command) {
    return command.containsKey("singleBatch") || command.toJson().contains("$group");
  }

  private static String collection(BsonDocument command, String name) {
    return command.isString(name) ? command.getString(name).getValue() : "$cmd.aggregate";
  }

  private static BsonDocument cursor(String namespace, long id, String batch) {
    return new BsonDocument(
            "cursor",
            new BsonDocument("id", new BsonInt64(id))
                .append("ns", new BsonString(namespace))
                .append(batch, BsonArray.parse("[{_id: 1, n: 1, name: 'x'}]")))
        .append("ok", new BsonInt64(1));
  }
}
