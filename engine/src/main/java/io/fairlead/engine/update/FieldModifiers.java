// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/** {@code $set $setOnInsert $unset $inc $mul $min $max $currentDate $bit}. */
final class FieldModifiers {
  private FieldModifiers() {}

  record SetTo(BsonValue value, boolean onlyOnInsert) implements Modifier {
    @Override
    public void apply(Place place) {
      place.set(Mutable.copy(value));
    }
  }

  record Unset() implements Modifier {
    @Override
    public void apply(Place place) {
      place.remove();
    }

    @Override
    public boolean creates() {
      return false;
    }

    @Override
    public boolean needsOpenPath() {
      return false;
    }
  }

  /** {@code $inc} and {@code $mul}. */
  record Arithmetic(String operator, BsonValue operand) implements Modifier {
    static Arithmetic parse(String operator, String path, BsonValue operand) {
      if (!operand.isNumber()) {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH,
            "Cannot "
                + (operator.equals("$inc") ? "increment" : "multiply")
                + " with non-numeric argument: {"
                + path
                + ": "
                + Values.show(operand)
                + "}");
      }
      return new Arithmetic(operator, operand);
    }

    @Override
    public void apply(Place place) {
      BsonValue current = place.get();
      if (current == null) {
        place.set(operator.equals("$inc") ? operand : zero(operand));
        return;
      }
      if (!current.isNumber()) {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH,
            "Cannot apply "
                + operator
                + " to a value of non-numeric type. "
                + place.document()
                + " has the field '"
                + last(place.path())
                + "' of non-numeric type "
                + BsonTypes.nameOf(current));
      }
      BsonValue result =
          operator.equals("$inc")
              ? Numbers.add(current, operand)
              : Numbers.multiply(current, operand);
      boolean whole = !(current instanceof BsonDouble) && !(operand instanceof BsonDouble);
      if (whole && result instanceof BsonDouble) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "Failed to apply "
                + operator
                + " operations to current value (("
                + (current instanceof BsonInt32 ? "NumberInt" : "NumberLong")
                + ")"
                + Values.show(current)
                + ") for document "
                + place.document());
      }
      place.set(result);
    }

    private static BsonValue zero(BsonValue operand) {
      return switch (operand) {
        case BsonInt32 number -> new BsonInt32(0);
        case BsonInt64 number -> new BsonInt64(0);
        case BsonDecimal128 number -> new BsonDecimal128(Decimal128.POSITIVE_ZERO);
        default -> new BsonDouble(0);
      };
    }
  }

  static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** {@code $min} and {@code $max}. */
  record Extreme(BsonValue operand, boolean least, BsonOrder order) implements Modifier {
    @Override
    public void apply(Place place) {
      BsonValue current = place.get();
      int comparison = current == null ? 0 : order.compare(operand, current);
      if (current == null || (least ? comparison < 0 : comparison > 0)) {
        place.set(Mutable.copy(operand));
      }
    }
  }

  record CurrentDate(boolean timestamp, OperationContext context) implements Modifier {
    static CurrentDate parse(BsonValue operand, OperationContext context) {
      if (operand instanceof BsonBoolean) {
        return new CurrentDate(false, context);
      }
      if (!operand.isDocument()) {
        throw bad(
            BsonTypes.nameOf(operand)
                + " is not valid type for $currentDate. Please use a boolean ('true') or a $type"
                + " expression ({$type: 'timestamp/date'}).");
      }
      String type = "";
      for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
        if (!option.getKey().equals("$type")) {
          throw bad("Unrecognized $currentDate option: " + option.getKey());
        }
        type = option.getValue().isString() ? option.getValue().asString().getValue() : "";
      }
      if (!type.equals("date") && !type.equals("timestamp")) {
        throw bad(
            "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate:"
                + " {field : {$type: 'date'}}}");
      }
      return new CurrentDate(type.equals("timestamp"), context);
    }

    @Override
    public void apply(Place place) {
      BsonTimestamp time = context.clusterTime();
      place.set(
          !timestamp
              ? context.now()
              : time != null
                  ? time
                  : new BsonTimestamp((int) (context.now().getValue() / 1000), 1));
    }
  }

  record Bit(BsonDocument operations) implements Modifier {
    static Bit parse(BsonValue operand) {
      if (!operand.isDocument()) {
        throw bad(
            "The $bit modifier is not compatible with a "
                + BsonTypes.nameOf(operand)
                + ". You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}");
      }
      if (operand.asDocument().isEmpty()) {
        throw bad(
            "You must pass in at least one bitwise operation. The format is: {$bit: {field:"
                + " {and/or/xor: #}}");
      }
      operand.asDocument().forEach(Bit::check);
      return new Bit(operand.asDocument());
    }

    private static void check(String operation, BsonValue number) {
      if (!operation.equals("and") && !operation.equals("or") && !operation.equals("xor")) {
        throw bad(
            "The $bit modifier only supports 'and', 'or', and 'xor', not '"
                + operation
                + "' which is an unknown operator: {"
                + operation
                + ": "
                + Values.show(number)
                + "}");
      }
      if (!(number instanceof BsonInt32) && !(number instanceof BsonInt64)) {
        throw bad(
            "The $bit modifier field must be an Integer(32/64 bit); a '"
                + BsonTypes.nameOf(number)
                + "' is not supported here: {"
                + operation
                + ": "
                + Values.show(number)
                + "}");
      }
    }

    @Override
    public void apply(Place place) {
      BsonValue current = place.get();
      if (current != null && !(current instanceof BsonInt32) && !(current instanceof BsonInt64)) {
        throw bad(
            "Cannot apply $bit to a value of non-integral type."
                + place.document()
                + " has the field "
                + last(place.path())
                + " of non-integer type "
                + BsonTypes.nameOf(current));
      }
      boolean ints = current == null || current instanceof BsonInt32;
      long value = current == null ? 0 : Numbers.toLong(current);
      for (Map.Entry<String, BsonValue> operation : operations.entrySet()) {
        long operand = Numbers.toLong(operation.getValue());
        ints &= operation.getValue() instanceof BsonInt32;
        value =
            switch (operation.getKey()) {
              case "and" -> value & operand;
              case "or" -> value | operand;
              default -> value ^ operand;
            };
      }
      place.set(ints ? new BsonInt32((int) value) : new BsonInt64(value));
    }
  }

  static EngineException bad(String message) {
    return new EngineException(ErrorCodes.BAD_VALUE, message);
  }

  /** The document part of a message. */
  static String id(@Nullable BsonValue id) {
    return id == null ? "{}" : "{_id: " + Values.show(id) + "}";
  }
}
