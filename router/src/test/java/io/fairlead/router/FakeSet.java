// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router;

import io.fairlead.wire.listener.ConnectionService;
import io.fairlead.wire.listener.InProcessListener;
import io.fairlead.wire.listener.Replies;
import io.fairlead.wire.message.Message;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A replica set of one primary, which says hello and answers everything else as the test wants. */
final class FakeSet implements AutoCloseable {

  private final String name;
  private final InProcessListener listener;
  private final ConcurrentLinkedQueue<BsonDocument> received = new ConcurrentLinkedQueue<>();
  private volatile Function<BsonDocument, @Nullable BsonDocument> answers = command -> null;

  FakeSet(String name) {
    this.name = name;
    this.listener =
        InProcessListener.start(
            name + "-" + System.nanoTime() + ".inprocess", 0, connection -> new Member());
  }

  String hosts() {
    return name + "/" + address();
  }

  private String address() {
    return listener.host() + ":" + listener.port();
  }

  /** What to answer by command, without the ok; null for nothing special. */
  void answering(Function<BsonDocument, @Nullable BsonDocument> how) {
    answers = how;
  }

  /** The commands of this name that came so far. */
  List<BsonDocument> received(String command) {
    return received.stream().filter(document -> document.getFirstKey().equals(command)).toList();
  }

  private final class Member implements ConnectionService {

    @Override
    public BsonDocument handle(Message request, Replies more) {
      BsonDocument command = request.commandWithSequences();
      String first = command.getFirstKey();
      if (first.equals("hello") || first.equalsIgnoreCase("ismaster")) {
        return hello();
      }
      received.add(command);
      BsonDocument reply = answers.apply(command);
      BsonDocument complete = reply == null ? new BsonDocument() : reply;
      return complete.containsKey("ok") ? complete : complete.append("ok", new BsonInt32(1));
    }

    @Override
    public void close() {}
  }

  private BsonDocument hello() {
    String here = address();
    BsonDocument reply =
        BsonDocument.parse(
            "{helloOk: true, isWritablePrimary: true, ismaster: true, secondary: false, setVersion:"
                + " 1, electionId: {$oid: '7fffffff0000000000000001'}, maxBsonObjectSize: 16777216,"
                + " maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000,"
                + " logicalSessionTimeoutMinutes: 30, minWireVersion: 0, maxWireVersion: 25, ok:"
                + " 1}");
    BsonValue me = new BsonString(here);
    return reply
        .append("setName", new BsonString(name))
        .append("me", me)
        .append("primary", me)
        .append("hosts", new org.bson.BsonArray(List.of(me)));
  }

  @Override
  public void close() {
    listener.close();
  }
}
