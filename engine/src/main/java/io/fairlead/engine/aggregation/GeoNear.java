// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.geo.NearQuery;
import io.fairlead.engine.projection.Shape;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.query.Special;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.MetaDocument;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $geoNear}: documents by their distance from a point, with that distance in a field of
 * each. Whoever runs the pipeline reads them by {@link #filter}; the stage itself then adds the
 * fields.
 */
public final class GeoNear extends Stage {
  private static final int NO_NEAR = 5860400;

  private final @Nullable String key;
  private final BsonDocument query;
  private final BsonDocument near;
  private final double multiplier;
  private final Shape adds;

  private GeoNear(
      BsonValue operand,
      @Nullable String key,
      BsonDocument query,
      BsonDocument near,
      double multiplier,
      Shape adds) {
    super("$geoNear", operand);
    this.key = key;
    this.query = query;
    this.near = near;
    this.multiplier = multiplier;
    this.adds = adds;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!(operand instanceof BsonDocument options)) {
      throw new EngineException(10065, "invalid parameter: expected an object ($geoNear)");
    }
    BsonValue point = null;
    boolean spherical = false;
    String distanceField = null;
    String includeLocs = null;
    String key = null;
    BsonDocument query = new BsonDocument();
    double multiplier = 1;
    for (Map.Entry<String, BsonValue> option : options.entrySet()) {
      BsonValue value = option.getValue();
      switch (option.getKey()) {
        case "near" -> point = value;
        case "spherical" -> spherical = Values.truthy(value);
        case "minDistance", "maxDistance" -> {}
        case "distanceField" -> distanceField = text(16606, "distanceField", value);
        case "includeLocs" -> includeLocs = text(16607, "includeLocs", value);
        case "key" -> key = key(value);
        case "query" -> {
          if (!value.isDocument()) {
            throw new EngineException(
                ErrorCodes.TYPE_MISMATCH,
                "expected $geoNear option 'query' to be an object, but found: "
                    + Values.show(value));
          }
          query = value.asDocument();
          Matcher matcher = Matcher.compile(query, context.operation());
          if (Special.near(matcher.predicate()) != null) {
            throw Match.nearNotAllowed();
          }
        }
        case "distanceMultiplier" -> multiplier = multiplier(value);
        case "limit" ->
            throw new EngineException(
                50858,
                "$geoNear no longer supports the 'limit' parameter. Use a $limit stage instead.");
        case "num" ->
            throw new EngineException(
                50857,
                "$geoNear no longer supports the 'num' parameter. Use a $limit stage instead.");
        case "start" ->
            throw new EngineException(50856, "$geoNear no longer supports the 'start' argument.");
        default ->
            throw new EngineException(
                ErrorCodes.FAILED_TO_PARSE, "unknown argument to $geoNear: " + option.getKey());
      }
    }
    if (distanceField == null) {
      throw new EngineException(16605, "$geoNear requires a 'distanceField' option as a String");
    }
    if (point == null || !(point.isArray() || point.isDocument())) {
      throw new EngineException(
          NO_NEAR, "$geoNear requires a 'near' argument of type Object or Array");
    }
    BsonDocument added =
        new BsonDocument(
            distanceField, new BsonDocument("$meta", new BsonString("geoNearDistance")));
    if (multiplier != 1) {
      added.put(
          distanceField,
          new BsonDocument(
              "$multiply",
              new BsonArray(
                  java.util.List.of(
                      new BsonDocument("$meta", new BsonString("geoNearDistance")),
                      new BsonDouble(multiplier)))));
    }
    if (includeLocs != null) {
      added.append(includeLocs, new BsonDocument("$meta", new BsonString("geoNearPoint")));
    }
    return new GeoNear(
        operand,
        key,
        query,
        near(point, spherical, options),
        multiplier,
        Shape.addFields(added, context.operation()));
  }

  private static String text(int code, String option, BsonValue value) {
    if (!value.isString()) {
      throw new EngineException(
          code, "$geoNear requires that the '" + option + "' option is a String");
    }
    return FieldPath.validated(value.asString().getValue()).dotted();
  }

  private static String key(BsonValue value) {
    if (!value.isString()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH, "$geoNear parameter 'key' must be of type string");
    }
    if (value.asString().getValue().isEmpty()) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "$geoNear parameter 'key' cannot be the empty string");
    }
    return value.asString().getValue();
  }

  private static double multiplier(BsonValue value) {
    if (!value.isNumber()) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "$geoNear parameter 'distanceMultiplier' must be a number");
    }
    double multiplier = Numbers.toDouble(value);
    if (!(multiplier >= 0)) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "$geoNear parameter 'distanceMultiplier' must be nonnegative");
    }
    return multiplier;
  }

  /** The operator of find that means the same, checked. */
  private static BsonDocument near(BsonValue point, boolean spherical, BsonDocument options) {
    BsonValue min = options.get("minDistance");
    BsonValue max = options.get("maxDistance");
    boolean geoJson = NearQuery.parse(point, spherical, min, max).geoJson();
    BsonDocument distances = new BsonDocument();
    if (min != null) {
      distances.append("$minDistance", min);
    }
    if (max != null) {
      distances.append("$maxDistance", max);
    }
    BsonDocument operator = new BsonDocument();
    if (geoJson) {
      BsonDocument operand = new BsonDocument("$geometry", point);
      operand.putAll(distances);
      operator.append("$nearSphere", operand);
    } else {
      operator.append(spherical ? "$nearSphere" : "$near", point);
      operator.putAll(distances);
    }
    return operator;
  }

  /** The field with the geometry, as it was given; null when it has to be told from the indexes. */
  public @Nullable String key() {
    return key;
  }

  /**
   * The filter whose documents are its input, nearest first.
   *
   * @param field the field with the geometry
   */
  public BsonDocument filter(String field) {
    BsonDocument byNear = new BsonDocument(field, near);
    return query.isEmpty()
        ? byNear
        : new BsonDocument("$and", new BsonArray(java.util.List.of(byNear, query)));
  }

  /** By what distances are multiplied before they are answered. */
  public double multiplier() {
    return multiplier;
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return () -> {
      RawBsonDocument document = input.next();
      if (document == null) {
        return null;
      }
      if (MetaDocument.get(document, "geoNearDistance") == null) {
        throw new EngineException(
            ErrorCodes.COMMAND_NOT_SUPPORTED, "$geoNear cannot read this source");
      }
      return adds.apply(document);
    };
  }

  @Override
  boolean isFirstOnly() {
    return true;
  }
}
