// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionStatistics;
import io.fairlead.server.command.CommandContext;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * {@code dbStats} and {@code collStats}. Sizes are of the documents' own bytes, as everything is in
 * memory.
 */
final class Statistics {
  private Statistics() {}

  static BsonDocument database(CommandContext context) {
    int scale = StorageStatistics.scale(context.get("scale"));
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
      indexBytes += StorageStatistics.sum(statistics);
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
    int scale = StorageStatistics.scale(context.get("scale"));
    Namespace namespace = context.namespace();
    BsonDocument reply = new BsonDocument("ns", new BsonString(namespace.toString()));
    reply.putAll(StorageStatistics.of(context.server().engine().snapshot(), namespace, scale));
    return reply;
  }
}
