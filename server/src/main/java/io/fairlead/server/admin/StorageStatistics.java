// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionStatistics;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.Failures;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a collection takes, as {@code collStats} and {@code $collStats} tell it. Sizes are of the
 * documents' own bytes and of the keys.
 */
public final class StorageStatistics {
  private StorageStatistics() {}

  /**
   * The figures of a collection; zeros for one that does not exist.
   *
   * @param scale by which sizes are divided, but not the average size of a document
   */
  public static BsonDocument of(Snapshot snapshot, Namespace namespace, int scale) {
    CollectionStatistics statistics = snapshot.statistics(namespace);
    BsonDocument options =
        snapshot
            .collection(namespace)
            .map(CollectionInfo::options)
            .map(known -> known.declared())
            .orElseGet(BsonDocument::new);
    long bytes = statistics.documentBytes();
    long indexBytes = sum(statistics);
    BsonDocument sizes = new BsonDocument();
    statistics
        .indexBytes()
        .forEach((name, size) -> sizes.append(name, new BsonInt64(size / scale)));
    BsonDocument document =
        new BsonDocument("size", new BsonInt64(bytes / scale))
            .append("count", new BsonInt64(statistics.documents()));
    if (statistics.documents() > 0) {
      document.append("avgObjSize", new BsonInt64(bytes / statistics.documents()));
    }
    boolean capped = Arguments.flag(options, "capped");
    document
        .append("storageSize", new BsonInt64(bytes / scale))
        .append("capped", BsonBoolean.valueOf(capped));
    if (capped) {
      document.append("max", new BsonInt64(options.getNumber("max", new BsonInt64(0)).longValue()));
      document.append("maxSize", new BsonInt64(options.getNumber("size").longValue() / scale));
    }
    return document
        .append("nindexes", new BsonInt32(statistics.indexBytes().size()))
        .append("totalIndexSize", new BsonInt64(indexBytes / scale))
        .append("totalSize", new BsonInt64((bytes + indexBytes) / scale))
        .append("indexSizes", sizes)
        .append("scaleFactor", new BsonInt32(scale));
  }

  static long sum(CollectionStatistics statistics) {
    return statistics.indexBytes().values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * A scale that a command or a stage has; 1 when it has none.
   *
   * @throws io.fairlead.engine.error.EngineException 51024 for less than 1, 14 for no number
   */
  public static int scale(@Nullable BsonValue value) {
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
