// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import java.util.ArrayDeque;
import java.util.Deque;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * {@code convertToCapped} and {@code cloneCollectionAsCapped}: a capped collection with the newest
 * documents of another, which it may replace. Indexes but that on {@code _id} are not taken along.
 */
final class ConvertToCapped {
  private ConvertToCapped() {}

  static BsonDocument convert(CommandContext context) {
    Namespace namespace = context.namespace();
    long size = size(context);
    return context.write(
        transaction -> {
          copy(transaction, namespace, namespace, size, context.evaluation());
          return new BsonDocument();
        });
  }

  static BsonDocument copy(CommandContext context) {
    Namespace from = context.namespace();
    BsonValue to = context.get("toCollection");
    if (to == null) {
      throw Failures.missing("cloneCollectionAsCapped.toCollection");
    }
    Namespace target = Namespace.of(context.database(), Arguments.string("toCollection", to));
    long size = size(context);
    return context.write(
        transaction -> {
          if (transaction.snapshot().collection(target).isPresent()) {
            throw Failures.of(48, "target collection " + target + " already exists");
          }
          copy(transaction, from, target, size, context.evaluation());
          return new BsonDocument();
        });
  }

  private static long size(CommandContext context) {
    BsonValue size = context.get("size");
    if (size == null) {
      throw Failures.of(72, "Capped collection size must be greater than zero");
    }
    long bytes = Arguments.integer("size", size);
    if (bytes <= 0) {
      throw Failures.of(72, "Capped collection size must be greater than zero");
    }
    return bytes;
  }

  private static void copy(
      WriteTransaction transaction,
      Namespace from,
      Namespace to,
      long size,
      OperationContext operation) {
    Snapshot snapshot = transaction.snapshot();
    CollectionInfo source =
        snapshot
            .collection(from)
            .orElseThrow(() -> Failures.of(26, "source collection " + from + " does not exist"));
    if (source.isView()) {
      throw Failures.of(166, "cannot convert a view to a capped collection: " + from);
    }
    Deque<RawBsonDocument> newest = newest(snapshot, from, size, operation);
    BsonDocument options = source.options().declared().clone();
    options.remove("clusteredIndex");
    options.remove("expireAfterSeconds");
    options.remove("max");
    options.append("capped", BsonBoolean.TRUE).append("size", new BsonInt64(size));
    if (from.equals(to)) {
      transaction.dropCollection(from);
    }
    transaction.createCollection(to, CollectionOptions.of(options));
    newest.forEach(document -> transaction.insert(to, document));
  }

  /** The newest documents that fit, oldest first. */
  private static Deque<RawBsonDocument> newest(
      Snapshot snapshot, Namespace from, long size, OperationContext operation) {
    Deque<RawBsonDocument> newest = new ArrayDeque<>();
    long bytes = 0;
    FindRequest backward =
        FindRequest.all().withSort(new BsonDocument("$natural", new BsonInt32(-1)));
    try (DocumentCursor cursor = snapshot.find(from, backward, operation)) {
      for (RawBsonDocument next = cursor.next(); next != null; next = cursor.next()) {
        bytes += next.getByteBuffer().remaining();
        if (bytes > size && !newest.isEmpty()) {
          break;
        }
        newest.addFirst(next);
      }
    }
    return newest;
  }
}
