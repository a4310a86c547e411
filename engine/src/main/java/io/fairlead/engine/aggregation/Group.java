// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.accumulator.Accumulator;
import io.fairlead.engine.context.MemoryUse;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $group}. A key that is missing is null; in a key document of several fields what is
 * missing stays out, in one of a single field it is null, as in MongoDB.
 */
final class Group extends Stage {
  /** A field of a key document of several fields. */
  private record KeyPart(String name, Expression expression, @Nullable FieldPath path) {}

  private static final Slice NULL = new Slice(new byte[0], BsonTypes.NULL, 0);

  private final OperationContext context;
  private final Expression key;
  private final @Nullable String onlyKeyField;
  private final List<KeyPart> keyParts;
  private final @Nullable FieldPath path;
  private final List<AccumulatorSpec> fields;

  private Group(
      String name,
      BsonValue operand,
      OperationContext context,
      Expression key,
      @Nullable String onlyKeyField,
      List<KeyPart> keyParts,
      List<AccumulatorSpec> fields) {
    super(name, operand);
    this.context = context;
    this.key = key;
    this.onlyKeyField = onlyKeyField;
    this.keyParts = keyParts;
    this.path = key.fieldPath().orElse(null);
    this.fields = fields;
  }

  static Stage parse(String name, BsonValue operand, StageContext stage) {
    if (!operand.isDocument()) {
      throw new EngineException(15947, "a group's fields must be specified in an object");
    }
    OperationContext context = stage.operation();
    BsonValue id = null;
    List<AccumulatorSpec> fields = new ArrayList<>();
    for (Map.Entry<String, BsonValue> entry : operand.asDocument().entrySet()) {
      if (entry.getKey().equals("_id")) {
        id = entry.getValue();
      } else if (entry.getKey().equals("$doingMerge")) {
        throw new EngineException(17030, "$doingMerge should be true if present");
      } else {
        fields.add(AccumulatorSpec.parse(entry.getKey(), entry.getValue(), context));
      }
    }
    if (id == null) {
      throw new EngineException(15955, "a group specification must include an _id");
    }
    if (id.isDocument()
        && id.asDocument().size() == 1
        && !id.asDocument().getFirstKey().startsWith("$")) {
      String only = id.asDocument().getFirstKey();
      Expression.compile(id, context);
      Expression inner =
          Expression.compile(java.util.Objects.requireNonNull(id.asDocument().get(only)), context);
      return new Group(name, operand, context, inner, only, List.of(), fields);
    }
    return new Group(
        name,
        operand,
        context,
        Expression.compile(id, context),
        null,
        keyParts(id, context),
        fields);
  }

  private static List<KeyPart> keyParts(BsonValue id, OperationContext context) {
    List<KeyPart> parts = new ArrayList<>();
    if (id.isDocument()
        && !id.asDocument().isEmpty()
        && !id.asDocument().getFirstKey().startsWith("$")) {
      id.asDocument()
          .forEach(
              (name, spec) -> {
                Expression expression = Expression.compile(spec, context);
                parts.add(new KeyPart(name, expression, expression.fieldPath().orElse(null)));
              });
    }
    return List.copyOf(parts);
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private @Nullable Iterator<GroupTable.Entry> groups;

      @Override
      public @Nullable RawBsonDocument next() {
        Iterator<GroupTable.Entry> ready = groups;
        if (ready == null) {
          ready = collect(input).entries().iterator();
          groups = ready;
        }
        return ready.hasNext() ? document(ready.next()) : null;
      }
    };
  }

  private GroupTable collect(DocumentCursor input) {
    MemoryUse groups =
        new MemoryUse(
            ErrorCodes.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED,
            "Exceeded memory limit for $group, and nothing is spilled to disk");
    HeldValues held = new HeldValues("$group");
    GroupTable table = new GroupTable(context.order(), fields, onlyKeyField, groups);
    Grouping grouping = new Grouping(table, held);
    input.readAll(grouping::add);
    return table;
  }

  /** Rows on their way into their groups. */
  private final class Grouping {
    private final GroupTable table;
    private final HeldValues held;
    private final AccumulatorSpec[] specs = fields.toArray(new AccumulatorSpec[0]);
    private final KeyPart[] parts = keyParts.toArray(new KeyPart[0]);
    private final Row row = new Row();
    private final Slice slice = new Slice();
    private final DocumentWriter keys = new DocumentWriter();
    private int seen;

    Grouping(GroupTable table, HeldValues held) {
      this.table = table;
      this.held = held;
    }

    void add(byte[] bytes, int offset) {
      if ((++seen & 0x3ff) == 0) {
        context.interrupt().check();
      }
      row.moveTo(bytes, offset);
      Accumulator[] accumulators = table.of(parts.length == 0 ? key() : document()).accumulators;
      for (int i = 0; i < accumulators.length; i++) {
        held.feed(specs[i], accumulators[i], row, slice);
      }
    }

    private Slice key() {
      FieldPath direct = path;
      if (direct != null && row.read(direct, slice)) {
        return slice.isMissing() ? NULL : slice;
      }
      BsonValue value = row.evaluate(key);
      return value == null ? NULL : Slice.of(value);
    }

    private Slice document() {
      keys.reset();
      for (KeyPart part : parts) {
        FieldPath field = part.path;
        if (field != null && row.read(field, slice)) {
          keys.value(part.name, slice);
        } else {
          BsonValue value = row.evaluate(part.expression);
          if (value != null) {
            keys.value(part.name, value);
          }
        }
      }
      return keys.finishInto(slice);
    }
  }

  private RawBsonDocument document(GroupTable.Entry group) {
    DocumentWriter out = new DocumentWriter();
    if (onlyKeyField != null) {
      out.startDocument("_id");
      out.value(onlyKeyField, group.key);
      out.end();
    } else {
      out.value("_id", group.key);
    }
    for (int i = 0; i < fields.size(); i++) {
      BsonValue value = group.accumulators[i].result();
      out.value(fields.get(i).field(), value == null ? BsonNull.VALUE : value);
    }
    return out.finish();
  }
}
