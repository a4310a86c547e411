// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.aggregation.GeoNear;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.Stage;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.FindRequest;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The part of a pipeline that a find answers, and the rest: leading {@code $match} stages, then one
 * {@code $sort}, then {@code $skip} and {@code $limit}.
 *
 * <p>A leading {@code $geoNear} is answered by a find for what is near; the stage itself stays, to
 * add its fields.
 *
 * @param filter all leading filters together
 * @param sort the sort behind them, or empty
 * @param skip how many are passed over
 * @param limit how many at most; 0 is all
 * @param rest the stages behind
 */
record LeadingStages(BsonDocument filter, BsonDocument sort, long skip, long limit, Pipeline rest) {
  static LeadingStages of(
      List<BsonDocument> stages,
      Namespace namespace,
      OperationContext operation,
      Function<GeoNear, String> geoField) {
    Pipeline pipeline =
        Pipeline.compile(
            stages, new Pipeline.Target(namespace.database(), namespace.collection()), operation);
    List<Stage> compiled = pipeline.stages();
    int at = 0;
    if (!compiled.isEmpty() && compiled.getFirst() instanceof GeoNear near) {
      return new LeadingStages(
          near.filter(geoField.apply(near)), new BsonDocument(), 0, 0, pipeline);
    }
    BsonArray filters = new BsonArray();
    while (at < compiled.size() && compiled.get(at).name().equals("$match")) {
      filters.add(compiled.get(at).spec().getDocument("$match"));
      at++;
    }
    BsonDocument sort = new BsonDocument();
    if (at < compiled.size()
        && compiled.get(at).name().equals("$sort")
        && isPlain(compiled.get(at))
        && !pipeline.showsSortKey()) {
      sort = compiled.get(at).spec().getDocument("$sort");
      at++;
    }
    long skip = 0;
    if (at < compiled.size() && compiled.get(at).name().equals("$skip")) {
      skip = compiled.get(at).spec().getNumber("$skip").longValue();
      at++;
    }
    long limit = 0;
    if (at < compiled.size() && compiled.get(at).name().equals("$limit")) {
      limit = compiled.get(at).spec().getNumber("$limit").longValue();
      at++;
    }
    BsonDocument filter =
        switch (filters.size()) {
          case 0 -> new BsonDocument();
          case 1 -> filters.get(0).asDocument();
          default -> new BsonDocument("$and", filters);
        };
    return new LeadingStages(filter, sort, skip, limit, pipeline.without(at));
  }

  private static boolean isPlain(Stage sort) {
    return sort.spec().getDocument("$sort").values().stream().allMatch(BsonValue::isNumber);
  }

  /** What the first stage of the rest counts, or null when it does something else. */
  @Nullable Counted counted() {
    return rest.stages().isEmpty() ? null : Counted.of(rest.stages().getFirst().spec());
  }

  /** The find, with the pipeline's collation whatever the collection's is. */
  FindRequest find(@Nullable BsonValue hint, OperationContext operation) {
    return FindRequest.matching(filter)
        .withCollation(Collation.specOf(operation.order()))
        .withSort(sort)
        .withSkip(skip)
        .withLimit(limit)
        .withHint(hint);
  }
}
