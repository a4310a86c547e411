// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.catalog.DatabaseInfo;
import io.fairlead.engine.query.Matcher;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.cursor.CursorReplies;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Lists databases, collections and indexes. */
final class Listings {
  /** Databases that every server has. */
  private static final List<String> ALWAYS = List.of("admin", "config", "local");

  private Listings() {}

  static BsonDocument databases(CommandContext context) {
    boolean nameOnly = Arguments.flag(context.body(), "nameOnly");
    Predicate<BsonDocument> filter = filter(context);
    TreeMap<String, Long> sizes = new TreeMap<>();
    ALWAYS.forEach(name -> sizes.put(name, 0L));
    for (DatabaseInfo info : context.server().engine().snapshot().databases()) {
      sizes.put(info.name(), info.sizeBytes());
    }
    BsonArray databases = new BsonArray();
    long total = 0;
    for (Map.Entry<String, Long> each : sizes.entrySet()) {
      BsonDocument database = new BsonDocument("name", new BsonString(each.getKey()));
      if (!nameOnly) {
        database
            .append("sizeOnDisk", new BsonInt64(each.getValue()))
            .append("empty", BsonBoolean.valueOf(each.getValue() == 0));
      }
      if (filter.test(database)) {
        total += each.getValue();
        databases.add(database);
      }
    }
    BsonDocument reply = new BsonDocument("databases", databases);
    if (!nameOnly) {
      reply
          .append("totalSize", new BsonInt64(total))
          .append("totalSizeMb", new BsonInt64(total >> 20));
    }
    return reply;
  }

  static BsonDocument collections(CommandContext context) {
    boolean nameOnly = Arguments.flag(context.body(), "nameOnly");
    Predicate<BsonDocument> filter = filter(context);
    Snapshot snapshot = context.server().engine().snapshot();
    List<BsonDocument> collections = new ArrayList<>();
    for (CollectionInfo info : withSystemViews(snapshot, context.database())) {
      BsonDocument whole = describe(info);
      if (filter.test(whole)) {
        collections.add(
            nameOnly
                ? new BsonDocument("name", whole.get("name")).append("type", whole.get("type"))
                : whole);
      }
    }
    return CursorReplies.open(
        context,
        Namespace.of(context.database(), "$cmd.listCollections"),
        CursorReplies.batchSize("listCollections", context.get("cursor")),
        collections);
  }

  /** The collections of a database, and {@code system.views} where there are views. */
  private static List<CollectionInfo> withSystemViews(Snapshot snapshot, String database) {
    List<CollectionInfo> all = new ArrayList<>(snapshot.collections(database));
    if (all.stream().anyMatch(info -> info.isView() && !info.isTimeSeries())) {
      Namespace name = Namespace.of(database, "system.views");
      UUID uuid = UUID.nameUUIDFromBytes(name.toString().getBytes(StandardCharsets.UTF_8));
      all.add(new CollectionInfo(name, uuid, CollectionOptions.none()));
    }
    return all;
  }

  private static BsonDocument describe(CollectionInfo info) {
    if (info.isTimeSeries()) {
      BsonDocument shown = info.options().declared().clone();
      shown.remove("viewOn");
      shown.remove("pipeline");
      return new BsonDocument("name", new BsonString(info.namespace().collection()))
          .append("type", new BsonString("timeseries"))
          .append("options", shown)
          .append("info", new BsonDocument("readOnly", BsonBoolean.FALSE));
    }
    BsonDocument options = info.options().declared();
    boolean view = info.isView();
    BsonDocument about = new BsonDocument("readOnly", BsonBoolean.valueOf(view));
    if (!view) {
      about.append("uuid", new BsonBinary(info.uuid()));
    }
    BsonDocument description =
        new BsonDocument("name", new BsonString(info.namespace().collection()))
            .append("type", new BsonString(view ? "view" : "collection"))
            .append("options", options)
            .append("info", about);
    if (!view && !options.containsKey("clusteredIndex")) {
      BsonDocument index =
          new BsonDocument("v", new BsonInt32(2))
              .append("key", new BsonDocument("_id", new BsonInt32(1)))
              .append("name", new BsonString("_id_"));
      if (options.containsKey("collation")) {
        index.append("collation", options.get("collation"));
      }
      description.append("idIndex", index);
    }
    return description;
  }

  static BsonDocument indexes(CommandContext context) {
    Namespace namespace = context.namespace();
    Snapshot snapshot = context.server().engine().snapshot();
    return CursorReplies.open(
        context,
        namespace,
        CursorReplies.batchSize("listIndexes", context.get("cursor")),
        snapshot.indexes(namespace));
  }

  private static Predicate<BsonDocument> filter(CommandContext context) {
    BsonDocument filter = Arguments.optionalDocument(context.body(), "filter");
    if (filter == null || filter.isEmpty()) {
      return document -> true;
    }
    Matcher matcher = Matcher.compile(filter, context.evaluation());
    BsonDocumentCodec codec = new BsonDocumentCodec();
    return document -> matcher.matches(new RawBsonDocument(document, codec));
  }
}
