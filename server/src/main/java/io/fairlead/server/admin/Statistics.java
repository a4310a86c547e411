// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionStatistics;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code dbStats} and {@code collStats}. Sizes are of the documents' own bytes, as everything is in
 * memory.
 */
final class Statistics {
  private Statistics() {}

  static BsonDocument database(CommandContext context) {
    int scale = scale(context.get("scale"));
    Snapshot snapshot = context.server().engine().snapshot();
    long collections = 0;
    long views = 0;
    long objects = 0;
    long bytes = 0;
    long indexes = 0;
    long indexBytes = 0;
    for (CollectionInfo info : snapshot.collections(context.database())) {
      if (info.options().declared().containsKey("viewOn")) {
        views++;
        continue;
      }
      CollectionStatistics statistics = snapshot.statistics(info.namespace());
      collections++;
      objects += statistics.documents();
      bytes += statistics.documentBytes();
      indexes += statistics.indexBytes().size();
      indexBytes += sum(statistics);
    }
    return new BsonDocument("db", new BsonString(context.database()))
        .append("collections", new BsonInt64(collections))
        .append("views", new BsonInt64(views))
        .append("objects", new BsonInt64(objects))
        .append("avgObjSize", new BsonDouble(objects == 0 ? 0 : (double) bytes / objects))
        .append("dataSize", new BsonDouble((double) bytes / scale))
        .append("storageSize", new BsonDouble((double) bytes / scale))
        .append("indexes", new BsonInt64(indexes))
        .append("indexSize", new BsonDouble((double) indexBytes / scale))
        .append("totalSize", new BsonDouble((double) (bytes + indexBytes) / scale))
        .append("scaleFactor", new BsonInt64(scale));
  }

  static BsonDocument collection(CommandContext context) {
    int scale = scale(context.get("scale"));
    Namespace namespace = context.namespace();
    CollectionStatistics statistics = context.server().engine().snapshot().statistics(namespace);
    BsonDocument sizes = new BsonDocument();
    statistics
        .indexBytes()
        .forEach((name, bytes) -> sizes.append(name, new BsonInt64(bytes / scale)));
    long indexBytes = sum(statistics);
    BsonDocument reply =
        new BsonDocument("ns", new BsonString(namespace.toString()))
            .append("size", new BsonInt64(statistics.documentBytes() / scale))
            .append("count", new BsonInt64(statistics.documents()));
    if (statistics.documents() > 0) {
      reply.append(
          "avgObjSize", new BsonInt64(statistics.documentBytes() / statistics.documents()));
    }
    return reply
        .append("storageSize", new BsonInt64(statistics.documentBytes() / scale))
        .append("capped", BsonBoolean.FALSE)
        .append("nindexes", new BsonInt32(statistics.indexBytes().size()))
        .append("totalIndexSize", new BsonInt64(indexBytes / scale))
        .append("totalSize", new BsonInt64((statistics.documentBytes() + indexBytes) / scale))
        .append("indexSizes", sizes)
        .append("scaleFactor", new BsonInt32(scale));
  }

  private static long sum(CollectionStatistics statistics) {
    return statistics.indexBytes().values().stream().mapToLong(Long::longValue).sum();
  }

  private static int scale(@Nullable BsonValue value) {
    if (value == null) {
      return 1;
    }
    long scale = Arguments.integer("scale", value);
    if (scale < 1 || scale > Integer.MAX_VALUE) {
      throw Failures.of(
          51024, "BSON field 'scale' value must be >= 1, actual value '" + scale + "'");
    }
    return (int) scale;
  }
}
