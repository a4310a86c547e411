// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.Plain;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * A compiled update: operators, a replacement, or a pipeline. Immutable; may be used by many
 * threads.
 */
public final class Update {
  private static final int BYTES_MAX = 16 * 1024 * 1024;
  private static final Set<String> PIPELINE_STAGES =
      Set.of("$set", "$addFields", "$project", "$unset", "$replaceRoot", "$replaceWith");

  /** Which of the three languages the update is written in. */
  public enum Kind {
    OPERATORS,
    REPLACEMENT,
    PIPELINE
  }

  private final Kind kind;
  private final @Nullable OperatorUpdate operators;
  private final @Nullable BsonDocument replacement;
  private final @Nullable Pipeline pipeline;

  private Update(
      Kind kind,
      @Nullable OperatorUpdate operators,
      @Nullable BsonDocument replacement,
      @Nullable Pipeline pipeline) {
    this.kind = kind;
    this.operators = operators;
    this.replacement = replacement;
    this.pipeline = pipeline;
  }

  /**
   * Compiles an update.
   *
   * @param update a document (operators or replacement) or an array (pipeline)
   * @throws EngineException 9 for an unknown modifier, 40 for conflicting paths, and others
   */
  public static Update compile(
      BsonValue update, List<BsonDocument> arrayFilters, OperationContext context) {
    if (update.isArray()) {
      refuseFilters(arrayFilters, "pipeline-style updates");
      return new Update(Kind.PIPELINE, null, null, pipeline(update, context));
    }
    if (!update.isDocument()) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, "Update argument must be either an object or an array");
    }
    BsonDocument document = update.asDocument();
    if (isOperators(document)) {
      return new Update(
          Kind.OPERATORS,
          OperatorUpdate.parse(Plain.document(document), arrayFilters, context),
          null,
          null);
    }
    refuseFilters(arrayFilters, "replacement-style updates");
    for (String name : document.keySet()) {
      if (name.startsWith("$")) {
        throw new EngineException(
            ErrorCodes.DOLLAR_PREFIXED_FIELD_NAME,
            "The dollar ($) prefixed field '"
                + name
                + "' in '"
                + name
                + "' is not allowed in the context of an update's replacement document. Consider"
                + " using an aggregation pipeline with $replaceWith.");
      }
    }
    return new Update(Kind.REPLACEMENT, null, document, null);
  }

  /** Whether the first field's name begins with a dollar. */
  private static boolean isOperators(BsonDocument document) {
    if (document instanceof RawBsonDocument raw) {
      int first = RawBytes.offset(raw) + 4;
      return RawBytes.bytes(raw)[first] != 0 && RawBytes.bytes(raw)[first + 1] == '$';
    }
    return !document.isEmpty() && document.getFirstKey().startsWith("$");
  }

  private static void refuseFilters(List<BsonDocument> arrayFilters, String what) {
    if (!arrayFilters.isEmpty()) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE, "arrayFilters may not be specified for " + what);
    }
  }

  private static Pipeline pipeline(BsonValue update, OperationContext context) {
    List<BsonDocument> stages = new ArrayList<>();
    for (BsonValue stage : update.asArray()) {
      if (!stage.isDocument()) {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH, "Each element of the 'pipeline' array must be an object");
      }
      stages.add(stage.asDocument());
    }
    Pipeline compiled = Pipeline.compile(stages, new Pipeline.Target("", ""), context);
    compiled
        .stages()
        .forEach(
            stage -> {
              if (!PIPELINE_STAGES.contains(stage.name())) {
                throw new EngineException(
                    ErrorCodes.INVALID_OPTIONS,
                    stage.name() + " is not allowed to be used within an update");
              }
            });
    return compiled;
  }

  /** The names of the modifiers of array operators, and of positions in paths. */
  public static Set<String> modifierNames() {
    return Set.of("$", "$[]", "$[<identifier>]", "$each", "$position", "$slice", "$sort");
  }

  /** The names of all update operators. */
  public static Set<String> operatorNames() {
    return OperatorUpdate.names();
  }

  public Kind kind() {
    return kind;
  }

  /**
   * First parts of the paths that it may change; empty when that may be any: for index maintenance.
   */
  public Optional<Set<String>> changedFields() {
    return operators == null ? Optional.empty() : Optional.of(operators.topFields());
  }

  /**
   * Applies it to a document that the filter matches.
   *
   * @param filter for the positional {@code $}; asked only where there is one
   * @return the changed document; the same array when it is as it was
   * @throws EngineException 66 when {@code _id} would change, 14, 28 and others
   */
  public byte[] apply(byte[] before, Supplier<Matcher> filter) {
    byte[] after = operators == null ? null : operators.overwrite(before);
    if (after == null) {
      RawBsonDocument document = new RawBsonDocument(before);
      after = BsonBytes.of(finished(changed(document, filter), Values.field(document, "_id")));
    }
    // A replacement is compared as it was given: one without the _id is a change, though of
    // nothing.
    byte[] compared = replacement == null ? after : BsonBytes.of(replacement);
    return Arrays.equals(before, compared) ? before : after;
  }

  private BsonDocument changed(RawBsonDocument before, Supplier<Matcher> filter) {
    if (operators != null) {
      BsonDocument document = Mutable.of(before);
      operators.apply(document, () -> filter.get().arrayIndex(before), false);
      return document;
    }
    return replacement != null ? replacement : piped(before);
  }

  private RawBsonDocument piped(RawBsonDocument document) {
    Pipeline stages = java.util.Objects.requireNonNull(pipeline);
    try (DocumentCursor result =
        stages.run(DocumentCursor.of(List.of(document)), PipelineEnvironment.NONE)) {
      return java.util.Objects.requireNonNull(result.next());
    }
  }

  /** As bytes, {@code _id} first; checks that it is still the same, and the size. */
  private RawBsonDocument finished(BsonDocument after, @Nullable BsonValue id) {
    BsonValue now = Values.field(after, "_id");
    if (id != null && kind == Kind.OPERATORS && now == null) {
      throw immutable(null);
    }
    if (id != null && now != null && !BsonOrder.SIMPLE.equal(id, now)) {
      throw immutable(now);
    }
    return sized(withIdFirst(after, now == null ? id : now));
  }

  private static RawBsonDocument sized(RawBsonDocument written) {
    if (RawBytes.length(written) > BYTES_MAX) {
      throw new EngineException(
          17419, "Resulting document after update is larger than " + BYTES_MAX);
    }
    return written;
  }

  private EngineException immutable(@Nullable BsonValue now) {
    return new EngineException(
        ErrorCodes.IMMUTABLE_FIELD,
        kind == Kind.OPERATORS
            ? "Performing an update on the path '_id' would modify the immutable field '_id'"
            : "After applying the update, the (immutable) field '_id' was found to have been"
                + " altered to _id: "
                + Values.show(now));
  }

  private static RawBsonDocument withIdFirst(BsonDocument document, @Nullable BsonValue id) {
    DocumentWriter out = new DocumentWriter();
    if (id != null) {
      out.value("_id", id);
    }
    if (document instanceof RawBsonDocument raw) {
      ElementCursor fields = new ElementCursor(raw);
      while (fields.next()) {
        if (!fields.name().equals("_id")) {
          out.value(fields.name(), fields.value());
        }
      }
    } else {
      document.forEach(
          (name, value) -> {
            if (!name.equals("_id")) {
              out.value(name, value);
            }
          });
    }
    return out.finish();
  }

  /**
   * The document that an upsert inserts: the filter's equalities, then the update with {@code
   * $setOnInsert}. It has an {@code _id}, a new ObjectId when neither filter nor update gives one.
   */
  public RawBsonDocument upsert(Matcher filter) {
    BsonDocument fresh = UpsertSeed.of(filter, kind == Kind.REPLACEMENT);
    BsonValue wanted = fresh.get("_id");
    BsonDocument after;
    if (operators != null) {
      operators.apply(fresh, () -> -1, true);
      after = fresh;
    } else {
      after = replacement != null ? replacement : piped(DocumentWriter.write(fresh));
    }
    BsonValue id = Values.field(after, "_id");
    if (wanted != null && id != null && !BsonOrder.SIMPLE.equal(wanted, id)) {
      throw kind == Kind.REPLACEMENT
          ? new EngineException(
              ErrorCodes.IMMUTABLE_FIELD,
              "The _id field cannot be changed from {_id: "
                  + Values.show(wanted)
                  + "} to {_id: "
                  + Values.show(id)
                  + "}.")
          : immutable(id);
    }
    if (id == null) {
      id = wanted != null ? wanted : new BsonObjectId(new ObjectId());
    }
    RawBsonDocument inserted = withIdFirst(after, id);
    if (RawBytes.length(inserted) > BYTES_MAX) {
      throw new EngineException(17420, "Document to upsert is larger than " + BYTES_MAX);
    }
    return inserted;
  }
}
