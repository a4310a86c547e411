// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Values;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $dateToString} and {@code $dateFromString}. */
final class DateTexts {
  private DateTexts() {}

  static void register(Operators.Registrar operators) {
    operators.custom("$dateToString", DateTexts::toText);
    operators.custom("$dateFromString", DateTexts::fromText);
  }

  private static Node toText(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(
            name, operand, 18629, 18534, Set.of("date", "format", "timezone", "onNull"));
    Node date = parser.required(name, arguments, "date", 18628);
    Node format = parser.optional(arguments, "format", null);
    boolean formatGiven = arguments.containsKey("format");
    if (format.constant() instanceof BsonString constant) {
      DateFormat.check(constant.getValue(), false);
    }
    Node zone = parser.optional(arguments, "timezone", Dates.UTC);
    Node written =
        CallNode.of(
            List.of(date, format, zone),
            a -> {
              BsonValue value = a[0];
              BsonValue pattern = a[1];
              if (pattern != null && !Values.isNullish(pattern)) {
                if (!(pattern instanceof BsonString string)) {
                  throw new EngineException(
                      18533,
                      "$dateToString requires that 'format' be a string, found: "
                          + BsonTypes.nameOf(pattern)
                          + " with value "
                          + Values.show(pattern));
                }
                DateFormat.check(string.getValue(), false);
              }
              ZoneId in = Dates.zone(a[2]);
              if (value == null || Values.isNullish(value)) {
                return Otherwise.ON_NULL;
              }
              if (in == null || (formatGiven && (pattern == null || Values.isNullish(pattern)))) {
                return BsonNull.VALUE;
              }
              String text =
                  pattern instanceof BsonString string
                      ? string.getValue()
                      : in.equals(ZoneOffset.UTC)
                          ? "%Y-%m-%dT%H:%M:%S.%LZ"
                          : "%Y-%m-%dT%H:%M:%S.%L";
              return new BsonString(
                  DateFormat.format(text, Instant.ofEpochMilli(Dates.millis(value)).atZone(in)));
            });
    return new Otherwise(
        written,
        parser.optional(arguments, "onNull", BsonNull.VALUE),
        new Node.Constant(BsonNull.VALUE));
  }

  private static Node fromText(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(
            name,
            operand,
            40540,
            40541,
            Set.of("dateString", "format", "timezone", "onError", "onNull"));
    Node input = parser.required(name, arguments, "dateString", 40542);
    Node format = parser.optional(arguments, "format", null);
    boolean formatGiven = arguments.containsKey("format");
    Node zone = parser.optional(arguments, "timezone", Dates.UTC);
    boolean tolerant = arguments.containsKey("onError");
    Node parsed =
        CallNode.of(
            List.of(input, format, zone),
            a -> {
              BsonValue text = a[0];
              BsonValue pattern = a[1];
              boolean patterned = pattern != null && !Values.isNullish(pattern);
              if (patterned && !(pattern instanceof BsonString)) {
                throw new EngineException(
                    40684,
                    "$dateFromString requires that 'format' be a string, found: "
                        + BsonTypes.nameOf(pattern)
                        + " with value "
                        + Values.show(pattern));
              }
              if (pattern instanceof BsonString string) {
                DateFormat.check(string.getValue(), true);
              }
              ZoneId in = Dates.zone(a[2]);
              if (text == null || Values.isNullish(text)) {
                return Otherwise.ON_NULL;
              }
              try {
                if (!(text instanceof BsonString string)) {
                  throw new EngineException(
                      ErrorCodes.CONVERSION_FAILURE,
                      "$dateFromString requires that 'dateString' be a string, found: "
                          + BsonTypes.nameOf(text)
                          + " with value "
                          + Values.show(text));
                }
                if (in == null || (formatGiven && !patterned)) {
                  return BsonNull.VALUE;
                }
                return new BsonDateTime(
                    pattern instanceof BsonString how
                        ? DateFormat.parse(string.getValue(), how.getValue(), in)
                        : DateFormat.parse(string.getValue(), in));
              } catch (EngineException e) {
                if (tolerant && e.code() == ErrorCodes.CONVERSION_FAILURE) {
                  return Otherwise.ON_ERROR;
                }
                throw e;
              }
            });
    return new Otherwise(
        parsed,
        parser.optional(arguments, "onNull", BsonNull.VALUE),
        parser.optional(arguments, "onError", null));
  }

  /** Evaluates what stands in for a null or a bad input, only where it is needed. */
  private static final class Otherwise extends Node {
    static final BsonValue ON_NULL = new BsonString("onNull");
    static final BsonValue ON_ERROR = new BsonString("onError");

    private final Node main;
    private final Node onNull;
    private final Node onError;

    Otherwise(Node main, Node onNull, Node onError) {
      this.main = main;
      this.onNull = onNull;
      this.onError = onError;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the two marks are identities: a text may equal them
    @Nullable BsonValue evaluate(Scope scope) {
      BsonValue value = main.evaluate(scope);
      if (value == ON_NULL) {
        return onNull.evaluate(scope);
      }
      return value == ON_ERROR ? onError.evaluate(scope) : value;
    }

    @Override
    void eachField(Consumer<String> action) {
      List.of(main, onNull, onError).forEach(node -> node.eachField(action));
    }
  }
}
