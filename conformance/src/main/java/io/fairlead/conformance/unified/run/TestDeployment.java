// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.fairlead.conformance.unified.entity.EntityMaker;
import io.fairlead.conformance.unified.format.Version;
import io.fairlead.embedded.EmbeddedCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An embedded deployment and the runner's own client of it. Used by one test after the other. */
final class TestDeployment
    implements EntityMaker.Target,
        io.fairlead.conformance.unified.operation.Surroundings,
        AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TestDeployment.class);
  private static final int MEMBERS = 3;
  private static final int SHARDS = 2;
  private static final int ROUTERS = 2;

  private final TopologyKind kind;
  private final EmbeddedCluster cluster;
  private final List<String> hosts;
  private final List<String> options;
  private final MongoClient internal;
  private final Version version;
  private final Map<String, Set<ServerAddress>> targetedFailPoints = new LinkedHashMap<>();
  private final Set<String> failPoints = new LinkedHashSet<>();
  private final Map<String, BsonDocument> parameters = new LinkedHashMap<>();

  private TestDeployment(TopologyKind kind, EmbeddedCluster cluster) {
    this.kind = kind;
    this.cluster = cluster;
    String uri = cluster.connectionString();
    String rest = uri.substring("mongodb://".length());
    int slash = rest.indexOf('/');
    this.hosts = List.of(rest.substring(0, slash).split(",", -1));
    int question = rest.indexOf('?');
    this.options = question < 0 ? List.of() : List.of(rest.substring(question + 1).split("&", -1));
    this.internal =
        MongoClients.create(
            "mongodb://"
                + (isSharded() ? hosts.getFirst() : String.join(",", hosts))
                + "/?"
                + String.join("&", options));
    this.version = askVersion();
  }

  static TestDeployment start(TopologyKind kind) {
    return new TestDeployment(
        kind,
        switch (kind) {
          case SINGLE -> EmbeddedCluster.standalone().start();
          case REPLICA_SET -> EmbeddedCluster.replicaSet(MEMBERS).start();
          case SHARDED -> EmbeddedCluster.sharded(SHARDS, 1).routers(ROUTERS).start();
        });
  }

  private Version askVersion() {
    BsonArray parts =
        internal
            .getDatabase("admin")
            .runCommand(new BsonDocument("buildInfo", new BsonInt32(1)), BsonDocument.class)
            .getArray("versionArray");
    return new Version(
        parts.get(0).asInt32().getValue(),
        parts.get(1).asInt32().getValue(),
        parts.get(2).asInt32().getValue());
  }

  TopologyKind kind() {
    return kind;
  }

  Version version() {
    return version;
  }

  /** The value of a server parameter, or null when the server has none of that name. */
  @Nullable BsonValue parameter(String name) {
    return parameters.computeIfAbsent(name, this::askParameter).get(name);
  }

  private BsonDocument askParameter(String name) {
    try {
      return internal
          .getDatabase("admin")
          .runCommand(
              new BsonDocument("getParameter", new BsonInt32(1)).append(name, new BsonInt32(1)),
              BsonDocument.class);
    } catch (MongoCommandException unknown) {
      LOG.debug("the server has no parameter {}", name, unknown);
      return new BsonDocument();
    }
  }

  @Override
  public List<String> hosts() {
    return hosts;
  }

  @Override
  public List<String> options() {
    return options;
  }

  @Override
  public boolean isSharded() {
    return kind == TopologyKind.SHARDED;
  }

  @Override
  public MongoClient internal() {
    return internal;
  }

  @Override
  public void runOn(ServerAddress server, BsonDocument command) {
    try (MongoClient direct =
        MongoClients.create("mongodb://" + server + "/?directConnection=true")) {
      direct
          .getDatabase("admin")
          .runCommand(command, ReadPreference.primaryPreferred(), BsonDocument.class);
    }
  }

  @Override
  public void failPointSet(String name, @Nullable ServerAddress server) {
    if (server == null) {
      failPoints.add(name);
    } else {
      targetedFailPoints.computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(server);
    }
  }

  /** Switches off every fail point that a test has set. */
  void disableFailPoints() {
    List<String> names = List.copyOf(failPoints);
    Map<String, Set<ServerAddress>> targeted = new LinkedHashMap<>(targetedFailPoints);
    failPoints.clear();
    targetedFailPoints.clear();
    names.forEach(name -> internal.getDatabase("admin").runCommand(off(name)));
    targeted.forEach((name, servers) -> servers.forEach(server -> runOn(server, off(name))));
  }

  private static BsonDocument off(String name) {
    return new BsonDocument("configureFailPoint", new BsonString(name))
        .append("mode", new BsonString("off"));
  }

  /** Ends what transactions a test has left behind. */
  void killAllSessions() {
    List<MongoClient> clients = new ArrayList<>();
    clients.add(internal);
    for (MongoClient each : clients) {
      try {
        each.getDatabase("admin").runCommand(new BsonDocument("killAllSessions", new BsonArray()));
      } catch (MongoCommandException failure) {
        LOG.debug("sessions could not be killed", failure); // interrupts itself in older servers
      }
    }
  }

  com.mongodb.client.MongoDatabase database(String name) {
    return internal.getDatabase(name).withWriteConcern(WriteConcern.MAJORITY);
  }

  @Override
  public void close() {
    try (cluster) {
      internal.close();
    }
  }
}
