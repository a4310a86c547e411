// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.geo.NearQuery;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.query.Special;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.MetaDocument;
import io.fairlead.engine.value.MetaUse;
import io.fairlead.engine.value.Metadata;
import io.fairlead.router.cursor.MergedCursor;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * In which order a find over several shards comes together: that of its sort; by distance where it
 * asks for what is near; by score where it sorts by that. A distance is computed here from the
 * document; a score is known to the shard's index alone, which sends it as {@code $sortKey}.
 */
final class FindOrder {
  private static final int NOT_SUPPORTED = 115;
  private static final String SCORE = "$sortKey";

  private final SortPattern sort;
  private final Predicate.@Nullable Near near;
  private final boolean scored;
  private final boolean projects;
  private final BsonDocument projection;
  private final Matcher matcher;

  FindOrder(Request request, OperationContext context) {
    this.matcher = Matcher.compile(request.document("filter"), context);
    this.sort = SortPattern.parse(request.document("sort"));
    this.projection = request.document("projection");
    this.near = Special.near(matcher.predicate());
    Set<String> known = MetaUse.of(projection);
    boolean text = Special.text(matcher.predicate()) != null;
    boolean byScore = sort.parts().stream().anyMatch(part -> part.meta().equals("textScore"));
    boolean ordered = !sort.isEmpty() || near != null;
    if (byScore && !text) {
      throw new EngineException(
          40218, "query requires text score metadata, but it is not available");
    }
    this.scored = text && (byScore || (ordered && known.contains("textScore")));
    this.projects = ordered && !projection.isEmpty();
    if (ordered) {
      refuse(request.flag("returnKey"), "returnKey with an order");
      refuse(
          request.flag("showRecordId") && projects, "showRecordId with an order and a projection");
      refuse(known.contains("recordId") || known.contains("indexKey"), "$meta with an order");
      refuse(
          sort.parts().stream()
              .anyMatch(part -> !part.meta().isEmpty() && !part.meta().equals("textScore")),
          "a sort by another $meta than textScore");
    }
  }

  private static void refuse(boolean asked, String what) {
    if (asked) {
      throw new EngineException(NOT_SUPPORTED, what + " is not supported over several shards yet");
    }
  }

  Matcher matcher() {
    return matcher;
  }

  /** Whether there is an order at all. */
  boolean isOrdered() {
    return !sort.isEmpty() || near != null;
  }

  /** Whether the order compares fields, for which the collation counts. */
  boolean comparesFields() {
    return sort.parts().stream().anyMatch(part -> part.meta().isEmpty());
  }

  /** Whether the projection is applied here, since the order needs whole documents. */
  boolean projectsHere() {
    return projects;
  }

  /** The projection that shards are asked for instead of the request's own; null for that one. */
  @Nullable BsonDocument shardProjection() {
    if (scored) {
      return new BsonDocument(SCORE, new BsonDocument("$meta", new BsonString("textScore")));
    }
    return projects ? new BsonDocument() : null;
  }

  /** The shards' cursors as one. */
  DocumentCursor merge(List<DocumentCursor> cursors, OperationContext context) {
    List<DocumentCursor> known =
        cursors.stream().map(cursor -> MergedCursor.mapped(cursor, this::known)).toList();
    SortPattern order =
        !sort.isEmpty() || near == null
            ? sort
            : SortPattern.parse(
                new BsonDocument(
                    "distance", new BsonDocument("$meta", new BsonString("geoNearDistance"))));
    return MergedCursor.of(known, order, context.order());
  }

  /** A shard's document with what is known of it besides its fields. */
  private RawBsonDocument known(RawBsonDocument document) {
    if (near != null) {
      return withDistance(document, near);
    }
    if (!scored) {
      return document;
    }
    BsonDocument plain = new BsonDocument();
    document.forEach(plain::append);
    BsonValue score = plain.remove(SCORE);
    return MetaDocument.of(
        DocumentWriter.write(plain),
        Metadata.score(score != null && score.isNumber() ? score.asNumber().doubleValue() : 0));
  }

  private static RawBsonDocument withDistance(RawBsonDocument document, Predicate.Near near) {
    NearQuery query = near.near();
    FieldPath path = near.path();
    double[] least = {Double.POSITIVE_INFINITY};
    BsonValue[] place = {BsonNull.VALUE};
    path.visit(
        document,
        true,
        (slice, arrayIndex) -> {
          BsonValue value = slice.value();
          if (value == null) {
            return false;
          }
          double distance = query.distance(value);
          if (distance >= 0 && distance < least[0]) {
            least[0] = distance;
            place[0] = value;
          }
          return false;
        });
    return MetaDocument.of(document, Metadata.near(least[0] * query.unit(), place[0]));
  }
}
