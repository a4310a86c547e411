// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueMap;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** A collection's documents by every value that a query on one path sees in them. */
final class ForeignTable {
  private final List<RawBsonDocument> documents = new ArrayList<>();
  private final ValueMap<List<Integer>> byValue;

  private ForeignTable(OperationContext context) {
    byValue = new ValueMap<>(context.order());
  }

  static ForeignTable read(DocumentCursor cursor, FieldPath path, OperationContext context) {
    ForeignTable table = new ForeignTable(context);
    try (cursor) {
      RawBsonDocument document;
      while ((document = cursor.next()) != null) {
        if ((table.documents.size() & 0x3ff) == 0) {
          context.interrupt().check();
        }
        table.add(document, path);
      }
    }
    return table;
  }

  private void add(RawBsonDocument document, FieldPath path) {
    int position = documents.size();
    documents.add(document);
    path.visit(
        document,
        true,
        (slice, index) -> {
          List<Integer> positions = byValue.computeIfAbsent(key(slice), ArrayList::new);
          if (positions.isEmpty() || positions.getLast() != position) {
            positions.add(position);
          }
          return false;
        });
  }

  private static BsonValue key(Slice slice) {
    BsonValue value = slice.type() == BsonTypes.MISSING ? null : slice.value();
    return value == null ? BsonNull.VALUE : value;
  }

  /** Documents that have one of the values, in their order. */
  List<RawBsonDocument> matching(List<BsonValue> values) {
    if (values.size() == 1) {
      List<Integer> positions = byValue.get(values.getFirst());
      return positions == null ? List.of() : positions.stream().map(documents::get).toList();
    }
    TreeSet<Integer> found = new TreeSet<>();
    for (BsonValue value : values) {
      List<Integer> positions = byValue.get(value);
      if (positions != null) {
        found.addAll(positions);
      }
    }
    return found.stream().map(documents::get).toList();
  }
}
