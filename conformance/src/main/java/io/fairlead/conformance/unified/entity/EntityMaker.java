// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerApi;
import com.mongodb.ServerApiVersion;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import io.fairlead.conformance.unified.match.NotInApiException;
import io.fairlead.conformance.unified.match.TestFailure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Makes entities as a test describes them. */
public final class EntityMaker {
  /** Where clients connect to. */
  public interface Target {
    /** All servers that a client is to know, without options. */
    List<String> hosts();

    /** What belongs behind the question mark, such as {@code replicaSet=rs0}. */
    List<String> options();

    /** Whether hosts are routers. */
    boolean isSharded();
  }

  private final ClientFactory factory;
  private final Target target;

  public EntityMaker(ClientFactory factory, Target target) {
    this.factory = factory;
    this.target = target;
  }

  /**
   * Makes one and adds it.
   *
   * @throws TestFailure when it refers to what is not there
   * @throws UnsupportedEntityException when it is of a kind that is refused here
   */
  public void make(BsonDocument described, Entities entities) throws InterruptedException {
    String kind = described.getFirstKey();
    BsonDocument options = described.getDocument(kind);
    String id = options.getString("id").getValue();
    switch (kind) {
      case "client" -> entities.add(id, client(options));
      case "database" -> entities.add(id, database(options, entities));
      case "collection" -> entities.add(id, collection(options, entities));
      case "session" -> entities.add(id, session(options, entities));
      case "bucket" -> entities.add(id, bucket(options, entities));
      case "thread" -> entities.add(id, new ThreadEntity(id));
      case "clientEncryption" ->
          throw new UnsupportedEntityException("client-side encryption is not supported");
      default -> throw new TestFailure("unknown kind of entity: " + kind);
    }
  }

  private ClientEntity client(BsonDocument options) throws InterruptedException {
    Options.only(
        options,
        "id",
        "uriOptions",
        "useMultipleMongoses",
        "observeEvents",
        "ignoreCommandMonitoringEvents",
        "observeSensitiveCommands",
        "observeLogMessages",
        "observeTracingMessages",
        "serverApi",
        "awaitMinPoolSizeMS",
        "autoEncryptOpts",
        "storeEventsAsEntities");
    if (options.containsKey("autoEncryptOpts")) {
      throw new UnsupportedEntityException("client-side encryption is not supported");
    }
    if (options.containsKey("storeEventsAsEntities")) {
      throw new UnsupportedEntityException(
          "storeEventsAsEntities left the format with schema version 1.24");
    }
    EventLog log =
        new EventLog(
            strings(options, "observeEvents"),
            strings(options, "ignoreCommandMonitoringEvents"),
            options.getBoolean("observeSensitiveCommands", BsonBoolean.FALSE).getValue());
    ConnectionString connection = new ConnectionString(uri(options));
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder()
            .applyConnectionString(connection)
            .addCommandListener(log)
            .applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(log))
            .applyToClusterSettings(cluster -> cluster.addClusterListener(log))
            .applyToServerSettings(
                server ->
                    server
                        .addServerListener(log)
                        .addServerMonitorListener(log)
                        .minHeartbeatFrequency(50, TimeUnit.MILLISECONDS));
    if (options.containsKey("serverApi")) {
      settings.serverApi(serverApi(options.getDocument("serverApi")));
    }
    ClientEntity client = new ClientEntity(factory.create(settings.build()), log);
    awaitMinPoolSize(options, connection, client);
    return client;
  }

  private void awaitMinPoolSize(
      BsonDocument options, ConnectionString connection, ClientEntity client)
      throws InterruptedException {
    Integer least = connection.getMinConnectionPoolSize();
    if (!options.containsKey("awaitMinPoolSizeMS") || least == null || least == 0) {
      return;
    }
    Duration atMost = Duration.ofMillis(options.getNumber("awaitMinPoolSizeMS").longValue());
    if (!client.log().awaitReady(least * target.hosts().size(), atMost)) {
      client.client().close();
      throw new TestFailure("pools are not filled within " + atMost);
    }
  }

  private static ServerApi serverApi(BsonDocument options) {
    ServerApi.Builder builder = ServerApi.builder();
    try {
      builder.version(ServerApiVersion.findByValue(options.getString("version").getValue()));
    } catch (RuntimeException unknown) {
      throw new TestFailure("unknown version of the server API", unknown);
    }
    if (options.containsKey("strict")) {
      builder.strict(options.getBoolean("strict").getValue());
    }
    if (options.containsKey("deprecationErrors")) {
      builder.deprecationErrors(options.getBoolean("deprecationErrors").getValue());
    }
    return builder.build();
  }

  private String uri(BsonDocument options) {
    BsonDocument uriOptions = options.getDocument("uriOptions", new BsonDocument());
    boolean direct = uriOptions.getBoolean("directConnection", BsonBoolean.FALSE).getValue();
    boolean single =
        direct
            || (target.isSharded()
                && !options.getBoolean("useMultipleMongoses", BsonBoolean.TRUE).getValue());
    List<String> hosts = target.hosts();
    if (target.isSharded()
        && options.getBoolean("useMultipleMongoses", BsonBoolean.FALSE).getValue()
        && hosts.size() < 2) {
      throw new TestFailure("the test needs several routers");
    }
    List<String> parts = new ArrayList<>(direct ? List.of() : target.options());
    uriOptions.forEach(
        (name, value) -> {
          parts.removeIf(each -> each.startsWith(name + "="));
          addOption(parts, name, value);
        });
    if (!uriOptions.containsKey("heartbeatFrequencyMS")) {
      parts.add("heartbeatFrequencyMS=500");
    }
    return "mongodb://"
        + String.join(",", single ? hosts.subList(0, 1) : hosts)
        + "/?"
        + String.join("&", parts);
  }

  private static void addOption(List<String> parts, String name, BsonValue value) {
    if (value.isArray()) {
      value.asArray().forEach(each -> addOption(parts, name, each));
    } else {
      parts.add(name + "=" + URLEncoder.encode(text(name, value), StandardCharsets.UTF_8));
    }
  }

  private static String text(String name, BsonValue value) {
    return switch (value.getBsonType()) {
      case STRING -> value.asString().getValue();
      case BOOLEAN -> Boolean.toString(value.asBoolean().getValue());
      case INT32, INT64 -> Long.toString(value.asNumber().longValue());
      case DOUBLE -> Double.toString(value.asDouble().getValue());
      default ->
          throw new UnsupportedEntityException("the URI option " + name + " needs an environment");
    };
  }

  private static Set<String> strings(BsonDocument options, String name) {
    Set<String> strings = new HashSet<>();
    options
        .getArray(name, new BsonArray())
        .forEach(each -> strings.add(each.asString().getValue()));
    return strings;
  }

  private static MongoDatabase database(BsonDocument options, Entities entities) {
    Options.only(options, "id", "client", "databaseName", "databaseOptions");
    MongoDatabase database =
        entities
            .client(options.getString("client").getValue())
            .client()
            .getDatabase(options.getString("databaseName").getValue());
    BsonDocument more = options.getDocument("databaseOptions", new BsonDocument());
    if (more.containsKey("readConcern")) {
      database = database.withReadConcern(Options.readConcern(more.getDocument("readConcern")));
    }
    if (more.containsKey("writeConcern")) {
      database = database.withWriteConcern(Options.writeConcern(more.getDocument("writeConcern")));
    }
    if (more.containsKey("readPreference")) {
      database =
          database.withReadPreference(Options.readPreference(more.getDocument("readPreference")));
    }
    if (more.containsKey("timeoutMS")) {
      database =
          database.withTimeout(more.getNumber("timeoutMS").longValue(), TimeUnit.MILLISECONDS);
    }
    return database;
  }

  private static MongoCollection<BsonDocument> collection(BsonDocument options, Entities entities) {
    Options.only(options, "id", "database", "collectionName", "collectionOptions");
    MongoCollection<BsonDocument> collection =
        Entities.bson(
            entities.database(options.getString("database").getValue()),
            options.getString("collectionName").getValue());
    BsonDocument more = options.getDocument("collectionOptions", new BsonDocument());
    if (more.containsKey("readConcern")) {
      collection = collection.withReadConcern(Options.readConcern(more.getDocument("readConcern")));
    }
    if (more.containsKey("writeConcern")) {
      collection =
          collection.withWriteConcern(Options.writeConcern(more.getDocument("writeConcern")));
    }
    if (more.containsKey("readPreference")) {
      collection =
          collection.withReadPreference(Options.readPreference(more.getDocument("readPreference")));
    }
    if (more.containsKey("timeoutMS")) {
      collection =
          collection.withTimeout(more.getNumber("timeoutMS").longValue(), TimeUnit.MILLISECONDS);
    }
    return collection;
  }

  private static SessionEntity session(BsonDocument options, Entities entities) {
    Options.only(options, "id", "client", "sessionOptions");
    BsonDocument more = options.getDocument("sessionOptions", new BsonDocument());
    Options.only(
        more,
        "causalConsistency",
        "snapshot",
        "snapshotTime",
        "defaultTransactionOptions",
        "defaultTimeoutMS");
    ClientSessionOptions.Builder builder = ClientSessionOptions.builder();
    if (more.containsKey("causalConsistency")) {
      builder.causallyConsistent(more.getBoolean("causalConsistency").getValue());
    }
    if (more.containsKey("snapshot")) {
      builder.snapshot(more.getBoolean("snapshot").getValue());
    }
    if (more.containsKey("snapshotTime")) {
      throw new NotInApiException("a session's snapshotTime");
    }
    if (more.containsKey("defaultTransactionOptions")) {
      builder.defaultTransactionOptions(
          Options.transaction(more.getDocument("defaultTransactionOptions")));
    }
    if (more.containsKey("defaultTimeoutMS")) {
      builder.defaultTimeout(more.getNumber("defaultTimeoutMS").longValue(), TimeUnit.MILLISECONDS);
    }
    return SessionEntity.of(
        entities
            .client(options.getString("client").getValue())
            .client()
            .startSession(builder.build()));
  }

  private static GridFSBucket bucket(BsonDocument options, Entities entities) {
    Options.only(options, "id", "database", "bucketOptions");
    BsonDocument more = options.getDocument("bucketOptions", new BsonDocument());
    Options.only(
        more, "bucketName", "chunkSizeBytes", "readConcern", "readPreference", "writeConcern");
    MongoDatabase database = entities.database(options.getString("database").getValue());
    GridFSBucket bucket =
        more.containsKey("bucketName")
            ? GridFSBuckets.create(database, more.getString("bucketName").getValue())
            : GridFSBuckets.create(database);
    if (more.containsKey("chunkSizeBytes")) {
      bucket = bucket.withChunkSizeBytes(more.getNumber("chunkSizeBytes").intValue());
    }
    if (more.containsKey("readConcern")) {
      bucket = bucket.withReadConcern(Options.readConcern(more.getDocument("readConcern")));
    }
    if (more.containsKey("readPreference")) {
      bucket =
          bucket.withReadPreference(Options.readPreference(more.getDocument("readPreference")));
    }
    if (more.containsKey("writeConcern")) {
      bucket = bucket.withWriteConcern(Options.writeConcern(more.getDocument("writeConcern")));
    }
    return bucket;
  }
}
