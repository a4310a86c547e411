// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.server.replication.PeerDialer;
import io.fairlead.server.replication.ReplicationSettings;
import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;

/** A replica set inside this JVM, of members that raw clients speak to one by one. */
public final class TestSet implements AutoCloseable {
  private static final AtomicInteger SETS = new AtomicInteger();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<Server> members = new ArrayList<>();

  private final ReplicaSetConfig config;

  private TestSet(ReplicaSetConfig config) {
    this.config = config;
  }

  /**
   * Starts that many members and waits for a writable primary, the first one, and for readable
   * secondaries.
   */
  public static TestSet start(int size) throws Exception {
    return start(size, member -> Engine.open(EngineOptions.defaults()));
  }

  /** As {@link #start(int)}, on those data. */
  public static TestSet start(int size, IntFunction<Engine> data) throws Exception {
    String name = "test" + SETS.incrementAndGet();
    List<MemberConfig> configs = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      configs.add(MemberConfig.of(i, name + "-" + i + ".inprocess:27017"));
    }
    ReplicaSetConfig config =
        new ReplicaSetConfig(name, 1, -1, configs, ReplicaSetConfig.Settings.quick(new ObjectId()));
    TestSet set = new TestSet(config);
    for (int i = 0; i < size; i++) {
      ReplicationSettings replication =
          new ReplicationSettings(
              name,
              configs.get(i).host(),
              config,
              i == 0,
              PeerDialer.DIRECT,
              16L << 20,
              Duration.ofSeconds(5));
      set.members.add(
          Server.start(
              ServerSettings.replicaSetMember(replication, 0)
                  .at(name + "-" + i + ".inprocess", 27017)
                  .withTransport(ServerSettings.Transport.IN_PROCESS),
              data.apply(i)));
    }
    for (int i = 0; i < size; i++) {
      set.awaitHello(i, i == 0 ? "isWritablePrimary" : "secondary");
    }
    return set;
  }

  public Server member(int index) {
    return members.get(index);
  }

  /** Waits until the member's hello has that flag, by awaiting its changes. */
  public void awaitHello(int index, String flag) throws Exception {
    awaitHello(index, flag, hello -> hello.getBoolean(flag).getValue());
  }

  /** Waits until that member follows another as primary; which one. */
  public int awaitSuccessorOf(int index) throws Exception {
    String self = config.members().get(index).host();
    BsonDocument hello =
        awaitHello(
            index,
            "another primary",
            said ->
                said.containsKey("primary") && !said.getString("primary").getValue().equals(self));
    String primary = hello.getString("primary").getValue();
    int successor = config.members().stream().map(MemberConfig::host).toList().indexOf(primary);
    awaitHello(successor, "isWritablePrimary");
    return successor;
  }

  private BsonDocument awaitHello(int index, String what, Predicate<BsonDocument> wanted)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (RawClient client = RawClient.of(member(index))) {
      BsonDocument hello = client.run("admin", "{hello: 1}");
      while (!wanted.test(hello)) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "member " + index + " has no " + what + ": " + hello.toJson());
        }
        BsonDocument next = BsonDocument.parse("{hello: 1, maxAwaitTimeMS: 1000}");
        hello = client.run("admin", next.append("topologyVersion", hello.get("topologyVersion")));
      }
      return hello;
    }
  }

  @Override
  public void close() {
    members.forEach(Server::close);
    members.forEach(member -> member.engine().close());
  }
}
