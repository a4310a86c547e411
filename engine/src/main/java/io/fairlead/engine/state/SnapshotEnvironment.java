// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What a pipeline sees of the other collections: the same snapshot. It writes nowhere. */
final class SnapshotEnvironment implements PipelineEnvironment {
  private final StoreSnapshot snapshot;
  private final OperationContext operation;

  SnapshotEnvironment(StoreSnapshot snapshot, OperationContext operation) {
    this.snapshot = snapshot;
    this.operation = operation;
  }

  @Override
  public DocumentCursor find(String database, String collection, BsonDocument filter) {
    return snapshot.find(
        Namespace.of(database, collection),
        FindRequest.matching(filter).withCollation(Collation.specOf(operation.order())),
        operation);
  }

  @Override
  public DocumentCursor aggregate(String database, String collection, Pipeline pipeline) {
    return snapshot.aggregate(Namespace.of(database, collection), pipeline, operation);
  }

  /** An index whose first field it is, and that holds every document. */
  @Override
  public boolean isIndexed(String database, String collection, String path) {
    Namespace namespace = Namespace.of(database, collection);
    BsonDocument collation = Collation.specOf(operation.order());
    return hasIndexes(namespace)
        && snapshot.indexes(namespace).stream()
            .anyMatch(
                index ->
                    index.getDocument("key").getFirstKey().equals(path)
                        && answersEquality(index.getDocument("key").get(path))
                        && index.getDocument("collation", Collation.SIMPLE).equals(collation)
                        && !index.containsKey("partialFilterExpression")
                        && !index.containsKey("sparse")
                        && !index.containsKey("hidden"));
  }

  private static boolean isNumber(@Nullable BsonValue value) {
    return value != null && value.isNumber();
  }

  private static boolean answersEquality(@Nullable BsonValue kind) {
    return kind != null && (kind.isNumber() || kind.equals(new BsonString("hashed")));
  }

  private boolean hasIndexes(Namespace namespace) {
    CollectionState state = snapshot.state(namespace);
    return state != null && !state.isView();
  }

  @Override
  public boolean hasUniqueIndex(String database, String collection, List<String> fields) {
    Namespace namespace = Namespace.of(database, collection);
    if (!hasIndexes(namespace)) {
      return fields.equals(List.of("_id"));
    }
    BsonDocument collation = Collation.specOf(operation.order());
    return snapshot.indexes(namespace).stream()
        .anyMatch(
            index ->
                (index.containsKey("unique") || isNumber(index.getDocument("key").get("_id")))
                    && !index.containsKey("partialFilterExpression")
                    && index.getDocument("collation", Collation.SIMPLE).equals(collation)
                    && index.getDocument("key").keySet().equals(Set.copyOf(fields)));
  }
}
