// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.COMMAND_NOT_SUPPORTED;
import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;
import static io.fairlead.engine.error.ErrorCodes.QUERY_FEATURE_NOT_ALLOWED;
import static io.fairlead.engine.error.ErrorCodes.TYPE_MISMATCH;

import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What a collection's options ask of its documents, checked and compiled. Immutable.
 *
 * @param bytesMax the documents' bytes together, when capped; 0 when not
 * @param documentsMax the number of documents, when capped and limited; 0 when not
 * @param validator what documents must match, or null
 * @param timed whether the validator asks for the time, so that it is compiled for each operation
 * @param moderate whether updates of documents that do not match already are let through
 * @param warnOnly whether a document that does not match is stored all the same
 * @param view what it shows, when it is a view; null when it has documents of its own
 * @param collation how its strings compare by default; null by their bytes
 * @param images whether the state of a document before a change is kept for change streams
 * @param expireAfterSeconds after how many seconds documents expire, counted from the date that is
 *     their {@code _id}, or the time of a measurement; empty when they do not
 * @param timeSeries what makes it a time-series collection or that collection's buckets, or null
 */
public record CollectionRules(
    long bytesMax,
    long documentsMax,
    @Nullable Matcher validator,
    boolean timed,
    boolean moderate,
    boolean warnOnly,
    @Nullable View view,
    @Nullable Collation collation,
    boolean images,
    OptionalLong expireAfterSeconds,
    @Nullable TimeSeriesOptions timeSeries) {
  private static final Set<String> HONOURED =
      Set.of(
          "capped",
          "size",
          "max",
          "validator",
          "validationLevel",
          "validationAction",
          "collation",
          "temp",
          "changeStreamPreAndPostImages",
          "expireAfterSeconds",
          "viewOn",
          "pipeline",
          "timeseries",
          "clusteredIndex");

  private static final Set<String> ON_VIEWS = Set.of("viewOn", "pipeline", "collation");

  /** The rules that the options make. An option that is not honoured is refused. */
  public static CollectionRules of(CollectionOptions options) {
    BsonDocument declared = options.declared();
    for (String option : declared.keySet()) {
      if (!HONOURED.contains(option)) {
        throw new EngineException(
            COMMAND_NOT_SUPPORTED, "create: the option '" + option + "' is not supported");
      }
    }
    boolean capped = isTrue(declared, "capped");
    long size = number(declared, "size");
    long max = number(declared, "max");
    if (declared.containsKey("size") && size < 1) {
      throw new EngineException(
          51024, "BSON field 'create.size' value must be >= 1, actual value '" + size + "'");
    }
    if (capped && size <= 0) {
      throw new EngineException(
          INVALID_OPTIONS, "the 'size' field is required when 'capped' is true");
    }
    if (!capped && (declared.containsKey("size") || declared.containsKey("max"))) {
      throw new EngineException(
          INVALID_OPTIONS,
          "the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
    }
    if (capped && declared.containsKey("clusteredIndex")) {
      throw new EngineException(INVALID_OPTIONS, "a clustered collection cannot be capped");
    }
    Collation collation = collation(declared);
    Matcher validator = null;
    if (declared.containsKey("validator")) {
      if (!(declared.get("validator") instanceof BsonDocument filter)) {
        throw new EngineException(TYPE_MISMATCH, "the 'validator' option must be an object");
      }
      validator =
          filter.isEmpty()
              ? null
              : Matcher.compileUnindexed(
                  filter, OperationContext.at(Instant.EPOCH).withOrder(order(collation)));
    }
    String level =
        oneOf(declared, "validationLevel", "strict", Set.of("off", "strict", "moderate"));
    String action =
        oneOf(declared, "validationAction", "error", Set.of("error", "warn", "errorAndLog"));
    if (validator != null
        && (level.equals("moderate") || action.equals("warn"))
        && Matcher.asksForEncryption(validator.filter())) {
      throw new EngineException(
          QUERY_FEATURE_NOT_ALLOWED,
          "Encryption-related validator keywords are not allowed in this context");
    }
    return new CollectionRules(
        capped ? Math.max(256, (size + 255) / 256 * 256) : 0,
        capped && max > 0 && max < Integer.MAX_VALUE ? max : 0,
        level.equals("off") ? null : validator,
        validator != null && asksForTheTime(validator.filter()),
        level.equals("moderate"),
        action.equals("warn"),
        view(declared),
        collation,
        declared.containsKey("changeStreamPreAndPostImages"),
        declared.containsKey("expireAfterSeconds")
            ? OptionalLong.of(declared.getNumber("expireAfterSeconds").longValue())
            : OptionalLong.empty(),
        declared.containsKey("timeseries")
            ? TimeSeriesOptions.parse(Objects.requireNonNull(declared.get("timeseries")))
            : null);
  }

  /**
   * What a view shows.
   *
   * @param on the collection or view of the same database
   * @param pipeline what is done with its documents
   */
  public record View(String on, List<BsonDocument> pipeline) {
    public View {
      pipeline = List.copyOf(pipeline);
    }
  }

  private static @Nullable View view(BsonDocument declared) {
    BsonValue on = declared.get("viewOn");
    if (on == null) {
      if (declared.containsKey("pipeline")) {
        throw new EngineException(
            INVALID_OPTIONS, "'pipeline' requires 'viewOn' to also be specified");
      }
      return null;
    }
    if (!on.isString() || on.asString().getValue().isEmpty()) {
      throw new EngineException(BAD_VALUE, "'viewOn' cannot be empty");
    }
    for (String option : declared.keySet()) {
      boolean ofTimeSeries =
          declared.containsKey("timeseries")
              && (option.equals("timeseries") || option.equals("expireAfterSeconds"));
      if (!ON_VIEWS.contains(option) && !ofTimeSeries) {
        throw new EngineException(INVALID_OPTIONS, "option not supported on a view: " + option);
      }
    }
    List<BsonDocument> pipeline = new ArrayList<>();
    BsonValue stages = declared.get("pipeline");
    if (stages != null && !stages.isArray()) {
      throw new EngineException(TYPE_MISMATCH, "the 'pipeline' option must be an array");
    }
    if (stages != null) {
      for (BsonValue stage : stages.asArray()) {
        if (!(stage instanceof BsonDocument document)) {
          throw new EngineException(
              TYPE_MISMATCH, "Each element of the 'pipeline' array must be an object");
        }
        pipeline.add(document);
      }
    }
    return new View(on.asString().getValue(), pipeline);
  }

  private static @Nullable Collation collation(BsonDocument declared) {
    BsonValue given = declared.get("collation");
    if (given == null) {
      return null;
    }
    if (!(given instanceof BsonDocument options)) {
      throw new EngineException(TYPE_MISMATCH, "the 'collation' option must be an object");
    }
    if (options.isEmpty()) {
      throw new EngineException(BAD_VALUE, "the 'collation' option cannot be an empty object");
    }
    return Collation.of(options);
  }

  private static BsonOrder order(@Nullable Collation collation) {
    return collation == null ? BsonOrder.SIMPLE : BsonOrder.collated(collation);
  }

  /** How values compare where an operation says nothing else. */
  public BsonOrder order() {
    return order(collation);
  }

  private static boolean isTrue(BsonDocument declared, String option) {
    BsonValue value = declared.get(option);
    return value != null
        && (value.isBoolean()
            ? value.asBoolean().getValue()
            : value.isNumber() && value.asNumber().doubleValue() != 0);
  }

  private static long number(BsonDocument declared, String option) {
    BsonValue value = declared.get(option);
    if (value == null) {
      return 0;
    }
    if (!value.isNumber()) {
      throw new EngineException(TYPE_MISMATCH, "the '" + option + "' option must be a number");
    }
    return value.asNumber().longValue();
  }

  private static String oneOf(
      BsonDocument declared, String option, String otherwise, Set<String> words) {
    BsonValue value = declared.get(option);
    if (value == null) {
      return otherwise;
    }
    if (!value.isString() || !words.contains(value.asString().getValue())) {
      throw new EngineException(
          BAD_VALUE,
          "Enumeration value '"
              + (value.isString() ? value.asString().getValue() : Values.show(value))
              + "' for field '"
              + option
              + "' is not a valid value.");
    }
    return value.asString().getValue();
  }

  public boolean capped() {
    return bytesMax > 0;
  }

  /**
   * Checks a document that shall be stored.
   *
   * @param before the document that it replaces, or null
   * @param operation whose time it is where the validator asks for {@code $$NOW}; asked for only
   *     when it is needed, which most writes do not
   * @throws EngineException 121
   */
  public void validate(
      byte[] document, byte @Nullable [] before, Supplier<OperationContext> operation) {
    if (validator == null || warnOnly) {
      return;
    }
    Matcher rule =
        timed
            ? Matcher.compileUnindexed(validator.filter(), operation.get().withOrder(order()))
            : validator;
    if (rule.matches(document, 0) || (moderate && before != null && !rule.matches(before, 0))) {
      return;
    }
    OperationContext context = operation.get().withOrder(order());
    throw ValidationFailure.of(document, rule.whyNot(new RawBsonDocument(document), context));
  }

  /** Whether a filter names a variable that differs from operation to operation. */
  private static boolean asksForTheTime(BsonValue value) {
    if (value.isString()) {
      String text = value.asString().getValue();
      return text.startsWith("$$NOW") || text.startsWith("$$CLUSTER_TIME");
    }
    return value.isDocument()
        ? value.asDocument().values().stream().anyMatch(CollectionRules::asksForTheTime)
        : value.isArray() && value.asArray().stream().anyMatch(CollectionRules::asksForTheTime);
  }
}
