// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.query.Matcher;
import io.fairlead.router.bytes.Splice;
import io.fairlead.router.shard.Shards;
import io.fairlead.router.status.RoutingStatus;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.wire.failpoint.FailPointException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/** What a router says of itself, its sessions and its fail point, and listDatabases. */
final class ServerCommands {

  private static final String VERSION = "8.0.0";

  private final Asking asking;
  private final Parts parts;

  ServerCommands(Asking asking) {
    this.asking = asking;
    this.parts = asking.parts();
  }

  static BsonDocument nothing(Request request) {
    return Asking.ok(request, new BsonDocument());
  }

  static BsonDocument buildInfo(Request request) {
    String own = ServerCommands.class.getPackage().getImplementationVersion();
    BsonArray versions =
        new BsonArray(
            List.of(new BsonInt32(8), new BsonInt32(0), new BsonInt32(0), new BsonInt32(0)));
    return Asking.ok(
        request,
        new BsonDocument("version", new BsonString(VERSION))
            .append("versionArray", versions)
            .append("gitVersion", new BsonString("fairlead"))
            .append("modules", new BsonArray(List.of(new BsonString("fairlead"))))
            .append(
                "fairlead",
                new BsonDocument("version", new BsonString(own == null ? "development" : own)))
            .append("allocator", new BsonString("jvm"))
            .append("javascriptEngine", new BsonString("none"))
            .append("sysInfo", new BsonString("deprecated"))
            .append("bits", new BsonInt32(64))
            .append("debug", BsonBoolean.FALSE)
            .append("maxBsonObjectSize", new BsonInt32(16 * 1024 * 1024))
            .append("storageEngines", new BsonArray()));
  }

  /** There is no balancer: chunks stay where they are until {@code moveChunk}. */
  static BsonDocument balancerStatus(Request request) {
    return Asking.ok(
        request,
        new BsonDocument("mode", new BsonString("off"))
            .append("inBalancerRound", BsonBoolean.FALSE)
            .append("numBalancerRounds", new BsonInt64(0)));
  }

  BsonDocument serverStatus(Request request) {
    long uptime = Duration.between(parts.started(), request.now()).toSeconds();
    return Asking.ok(
        request,
        new BsonDocument("host", new BsonString(parts.settings().host()))
            .append("version", new BsonString(VERSION))
            .append("process", new BsonString("mongos"))
            .append("pid", new BsonInt64(ProcessHandle.current().pid()))
            .append("uptime", new BsonDouble(uptime))
            .append("uptimeMillis", new BsonInt64(uptime * 1000))
            .append("localTime", new BsonDateTime(parts.clock().millis()))
            .append(
                "connections",
                new BsonDocument("current", new BsonInt32(parts.connections().getAsInt())))
            .append(
                "metrics",
                new BsonDocument(
                    "cursor",
                    new BsonDocument(
                        "open",
                        new BsonDocument("total", new BsonInt64(parts.cursors().size()))))));
  }

  static BsonDocument connectionStatus(Request request) {
    BsonDocument info =
        new BsonDocument("authenticatedUsers", new BsonArray())
            .append("authenticatedUserRoles", new BsonArray());
    if (request.flag("showPrivileges")) {
      info.append("authenticatedUserPrivileges", new BsonArray());
    }
    return Asking.ok(request, new BsonDocument("authInfo", info));
  }

  static BsonDocument getCmdLineOpts(Request request) {
    return Asking.ok(
        request, new BsonDocument("argv", new BsonArray()).append("parsed", new BsonDocument()));
  }

  static BsonDocument getLog(Request request) {
    if (request.get("getLog") instanceof BsonString which && which.getValue().equals("*")) {
      return Asking.ok(
          request,
          new BsonDocument("names", new BsonArray(List.of(new BsonString("startupWarnings")))));
    }
    if (!request.text("getLog").equals("startupWarnings")) {
      throw new EngineException(96, "no log named '" + request.text("getLog") + "'");
    }
    return Asking.ok(
        request,
        new BsonDocument("totalLinesWritten", new BsonInt32(0)).append("log", new BsonArray()));
  }

  static BsonDocument isdbgrid(Request request) {
    return Asking.ok(request, new BsonDocument("isdbgrid", new BsonInt32(1)));
  }

  static BsonDocument startSession(Request request) {
    BsonDocument id = new BsonDocument("id", new BsonBinary(UUID.randomUUID()));
    return Asking.ok(
        request, new BsonDocument("id", id).append("timeoutMinutes", new BsonInt32(30)));
  }

  BsonDocument configureFailPoint(Request request) {
    requireAdmin(request);
    try {
      return Asking.ok(request, parts.failPoints().configure(request.body()));
    } catch (FailPointException refused) {
      throw new EngineException(refused.code(), String.valueOf(refused.getMessage()));
    }
  }

  BsonDocument waitForFailPoint(Request request) throws InterruptedException {
    requireAdmin(request);
    try {
      parts.failPoints().await(request.body());
    } catch (FailPointException refused) {
      throw new EngineException(refused.code(), String.valueOf(refused.getMessage()));
    }
    return Asking.ok(request, new BsonDocument());
  }

  BsonDocument routingStatus(Request request) {
    requireAdmin(request);
    return Asking.ok(request, RoutingStatus.of(parts.shards(), parts.live(), parts.reads()));
  }

  static void requireAdmin(Request request) {
    if (!request.database().equals("admin")) {
      throw new EngineException(
          13, request.name() + " may only be run against the admin database.");
    }
  }

  BsonDocument listDatabases(Request request) throws InterruptedException {
    requireAdmin(request);
    Map<String, BsonDocument> found = new TreeMap<>();
    List<String> everywhere = new ArrayList<>(asking.shardIds());
    everywhere.add(Shards.CONFIG);
    List<BsonDocument> replies =
        Shards.scatter(
            everywhere,
            shard ->
                (BsonDocument)
                    asking
                        .read(
                            request,
                            shard,
                            request.forwarded(new BsonDocument(), "filter"),
                            ReadPreference.PRIMARY,
                            List.of())
                        .reply());
    for (int i = 0; i < everywhere.size(); i++) {
      boolean config = everywhere.get(i).equals(Shards.CONFIG);
      for (BsonValue database : replies.get(i).getArray("databases")) {
        add(found, database.asDocument(), everywhere.get(i), config);
      }
    }
    BsonArray databases = new BsonArray();
    Matcher filter = Matcher.compile(request.document("filter"), request.context());
    long total = 0;
    for (BsonDocument database : found.values()) {
      if (filter.matches(Splice.raw(database))) {
        databases.add(database);
        total += size(database);
      }
    }
    BsonDocument reply = new BsonDocument("databases", databases);
    if (!request.flag("nameOnly")) {
      reply
          .append("totalSize", new BsonInt64(total))
          .append("totalSizeMb", new BsonInt64(total / (1024 * 1024)));
    }
    return Asking.ok(request, reply);
  }

  /** admin and config are the config set's; local is each member's own. */
  private static void add(
      Map<String, BsonDocument> found, BsonDocument database, String shard, boolean config) {
    String name = database.getString("name").getValue();
    if (name.equals("local") || config != (name.equals("admin") || name.equals("config"))) {
      return;
    }
    BsonDocument known = found.get(name);
    if (known == null) {
      BsonDocument copy = new BsonDocument();
      database.forEach(copy::append);
      if (database.containsKey("sizeOnDisk")) {
        copy.append("shards", new BsonDocument(shard, database.get("sizeOnDisk")));
      }
      found.put(name, copy);
    } else if (known.containsKey("sizeOnDisk")) {
      known.put("sizeOnDisk", new BsonInt64(size(known) + size(database)));
      known.put("empty", BsonBoolean.valueOf(isEmpty(known) && isEmpty(database)));
      known.getDocument("shards").append(shard, database.get("sizeOnDisk"));
    }
  }

  private static long size(BsonDocument database) {
    return database.get("sizeOnDisk") instanceof BsonNumber size ? size.longValue() : 0;
  }

  private static boolean isEmpty(BsonDocument database) {
    return database.getBoolean("empty", BsonBoolean.FALSE).getValue();
  }
}
