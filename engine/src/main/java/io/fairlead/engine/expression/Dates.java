// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Parts of dates; texts are {@link DateTexts}, arithmetic is {@link DateArithmetic}. */
final class Dates {
  private Dates() {}

  static void register(Operators.Registrar operators) {
    part(operators, "$year", date -> new BsonInt32(date.getYear()));
    part(operators, "$month", date -> new BsonInt32(date.getMonthValue()));
    part(operators, "$dayOfMonth", date -> new BsonInt32(date.getDayOfMonth()));
    part(operators, "$dayOfWeek", date -> new BsonInt32(DateFormat.dayOfWeek(date)));
    part(operators, "$dayOfYear", date -> new BsonInt32(date.getDayOfYear()));
    part(operators, "$hour", date -> new BsonInt32(date.getHour()));
    part(operators, "$minute", date -> new BsonInt32(date.getMinute()));
    part(operators, "$second", date -> new BsonInt32(date.getSecond()));
    part(operators, "$millisecond", date -> new BsonInt32(date.getNano() / 1_000_000));
    part(operators, "$week", date -> new BsonInt32(DateFormat.week(date)));
    part(operators, "$isoWeek", date -> new BsonInt32(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)));
    part(operators, "$isoWeekYear", date -> new BsonInt64(date.get(IsoFields.WEEK_BASED_YEAR)));
    part(operators, "$isoDayOfWeek", date -> new BsonInt32(date.getDayOfWeek().getValue()));
    operators.custom("$dateToParts", Dates::toParts);
    operators.custom("$dateFromParts", Dates::fromParts);
    operators.fixed(
        "$tsSecond",
        1,
        a -> timestamp("$tsSecond", 5687301, a[0], time -> Integer.toUnsignedLong(time.getTime())));
    operators.fixed(
        "$tsIncrement",
        1,
        a ->
            timestamp(
                "$tsIncrement", 5687302, a[0], time -> Integer.toUnsignedLong(time.getInc())));
  }

  private static BsonValue timestamp(
      String name, int code, @Nullable BsonValue value, Function<BsonTimestamp, Long> part) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!(value instanceof BsonTimestamp time)) {
      throw new EngineException(
          code, " Argument to " + name + " must be a timestamp, but is " + BsonTypes.nameOf(value));
    }
    return new BsonInt64(part.apply(time));
  }

  /** Milliseconds of a date, a timestamp or an ObjectId. */
  static long millis(BsonValue value) {
    return switch (value) {
      case BsonDateTime date -> date.getValue();
      case BsonTimestamp time -> Integer.toUnsignedLong(time.getTime()) * 1000;
      case BsonObjectId id -> id.getValue().getTimestamp() * 1000L;
      default ->
          throw new EngineException(
              16006, "can't convert from BSON type " + BsonTypes.nameOf(value) + " to Date");
    };
  }

  /** The zone of a timezone argument; null when it is null. UTC where none was given. */
  static @Nullable ZoneId zone(@Nullable BsonValue value) {
    if (value == null || Values.isNullish(value)) {
      return null;
    }
    if (!(value instanceof BsonString name)) {
      throw new EngineException(
          40517, "timezone must evaluate to a string, found " + BsonTypes.nameOf(value));
    }
    return DateFormat.zone(name.getValue());
  }

  static final BsonString UTC = new BsonString("UTC");

  private static void part(
      Operators.Registrar operators, String operator, Function<ZonedDateTime, BsonValue> part) {
    operators.custom(
        operator,
        (name, operand, parser) -> {
          Node date;
          Node zone = new Node.Constant(UTC);
          if (operand.isDocument()
              && !operand.asDocument().isEmpty()
              && !operand.asDocument().getFirstKey().startsWith("$")) {
            BsonDocument arguments =
                parser.arguments(name, operand, 40535, 40535, Set.of("date", "timezone"));
            if (!arguments.containsKey("date")) {
              throw new EngineException(
                  40539,
                  "missing 'date' argument to "
                      + name
                      + ", provided: "
                      + name
                      + ": "
                      + Values.show(operand));
            }
            date = parser.required(name, arguments, "date", 40539);
            zone = parser.optional(arguments, "timezone", UTC);
          } else {
            List<Node> nodes = parser.operands(operand);
            if (nodes.size() != 1) {
              throw new EngineException(
                  40536,
                  name
                      + " accepts exactly one argument if given an array, but was given "
                      + nodes.size());
            }
            date = nodes.getFirst();
          }
          return CallNode.of(
              List.of(date, zone),
              a -> {
                BsonValue value = a[0];
                ZoneId in = zone(a[1]);
                return value == null || Values.isNullish(value) || in == null
                    ? BsonNull.VALUE
                    : part.apply(Instant.ofEpochMilli(millis(value)).atZone(in));
              });
        });
  }

  private static Node toParts(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(name, operand, 40524, 40520, Set.of("date", "timezone", "iso8601"));
    Node date = parser.required(name, arguments, "date", 40522);
    return CallNode.of(
        List.of(
            date,
            parser.optional(arguments, "timezone", UTC),
            parser.optional(arguments, "iso8601", BsonBoolean.FALSE)),
        a -> {
          BsonValue value = a[0];
          ZoneId zone = zone(a[1]);
          if (value == null || Values.isNullish(value) || zone == null || Values.isNullish(a[2])) {
            return BsonNull.VALUE;
          }
          if (!(a[2] instanceof BsonBoolean iso)) {
            throw new EngineException(
                40521, "iso8601 must evaluate to a bool, found " + BsonTypes.nameOf(a[2]));
          }
          return parts(Instant.ofEpochMilli(millis(value)).atZone(zone), iso.getValue());
        });
  }

  private static BsonDocument parts(ZonedDateTime date, boolean iso) {
    BsonDocument parts = new BsonDocument();
    if (iso) {
      parts.append("isoWeekYear", new BsonInt32(date.get(IsoFields.WEEK_BASED_YEAR)));
      parts.append("isoWeek", new BsonInt32(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)));
      parts.append("isoDayOfWeek", new BsonInt32(date.getDayOfWeek().getValue()));
    } else {
      parts.append("year", new BsonInt32(date.getYear()));
      parts.append("month", new BsonInt32(date.getMonthValue()));
      parts.append("day", new BsonInt32(date.getDayOfMonth()));
    }
    return parts
        .append("hour", new BsonInt32(date.getHour()))
        .append("minute", new BsonInt32(date.getMinute()))
        .append("second", new BsonInt32(date.getSecond()))
        .append("millisecond", new BsonInt32(date.getNano() / 1_000_000));
  }

  private static final List<String> PARTS =
      List.of(
          "year",
          "month",
          "day",
          "hour",
          "minute",
          "second",
          "millisecond",
          "isoWeekYear",
          "isoWeek",
          "isoDayOfWeek",
          "timezone");

  /** Parts that must fit 16 bits. */
  private static final Set<String> BOUNDED =
      Set.of("month", "day", "hour", "minute", "isoWeek", "isoDayOfWeek");

  private static Node fromParts(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments = parser.arguments(name, operand, 40519, 40518, Set.copyOf(PARTS));
    boolean iso = arguments.containsKey("isoWeekYear");
    if (!iso && !arguments.containsKey("year")) {
      throw new EngineException(
          40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
    }
    if (arguments.containsKey("year")
        && (iso || arguments.containsKey("isoWeek") || arguments.containsKey("isoDayOfWeek"))) {
      throw new EngineException(
          40489, "$dateFromParts does not allow mixing natural dates with ISO dates");
    }
    if (iso && (arguments.containsKey("month") || arguments.containsKey("day"))) {
      throw new EngineException(
          40525, "$dateFromParts does not allow mixing ISO dates with natural dates");
    }
    List<Node> nodes =
        PARTS.stream()
            .map(
                part ->
                    parser.optional(
                        arguments,
                        part,
                        part.equals("timezone")
                            ? UTC
                            : new BsonInt32(
                                Set.of("month", "day", "isoWeek", "isoDayOfWeek").contains(part)
                                    ? 1
                                    : 0)))
            .toList();
    return CallNode.of(
        nodes,
        a -> {
          long[] numbers = new long[10];
          for (int i = 0; i < 10; i++) {
            BsonValue value = a[i];
            if (value == null || Values.isNullish(value)) {
              return BsonNull.VALUE;
            }
            if (!value.isNumber() || !Numbers.isLong(value)) {
              throw new EngineException(
                  40515,
                  "'"
                      + PARTS.get(i)
                      + "' must evaluate to an integer, found "
                      + BsonTypes.nameOf(value)
                      + " with value "
                      + Values.show(value));
            }
            numbers[i] = Numbers.toLong(value);
            if (BOUNDED.contains(PARTS.get(i)) && (short) numbers[i] != numbers[i]) {
              throw new EngineException(
                  31034,
                  "'"
                      + PARTS.get(i)
                      + "' must evaluate to a value in the range [-32768, 32767]; value "
                      + numbers[i]
                      + " is not in range");
            }
          }
          ZoneId zone = zone(a[10]);
          return zone == null ? BsonNull.VALUE : assembled(numbers, iso, zone);
        });
  }

  private static BsonValue assembled(long[] n, boolean iso, ZoneId zone) {
    long year = iso ? n[7] : n[0];
    if (year < 1 || year > 9999) {
      throw new EngineException(
          iso ? 31095 : 40523,
          "'"
              + (iso ? "isoWeekYear" : "year")
              + "' must evaluate to an integer in the range 1 to 9999, found "
              + year);
    }
    if (Math.abs(n[6] / 1000) > Long.MAX_VALUE / 1_000_000) {
      throw new EngineException(
          ErrorCodes.DURATION_OVERFLOW,
          "Overflow casting from a lower-precision duration to a higher-precision duration");
    }
    try {
      LocalDate day =
          iso
              ? LocalDate.of((int) year, 1, 4)
                  .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 1)
                  .with(ChronoField.DAY_OF_WEEK, 1)
                  .plusWeeks(n[8] - 1)
                  .plusDays(n[9] - 1)
              : LocalDate.of((int) year, 1, 1).plusMonths(n[1] - 1).plusDays(n[2] - 1);
      LocalDateTime time =
          day.atStartOfDay()
              .plusHours(n[3])
              .plusMinutes(n[4])
              .plusSeconds(n[5])
              .plus(n[6], ChronoUnit.MILLIS);
      return new BsonDateTime(instant(time, zone).toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      throw new EngineException(
          ErrorCodes.DURATION_OVERFLOW, "the parts make no date: " + e.getMessage());
    }
  }

  /**
   * The instant of a local time. A time that a change of clocks leaves out is taken by the offset
   * before it; one that comes twice is, as MongoDB has it, the later in zones that are then at or
   * east of UTC, and the earlier in others.
   */
  static Instant instant(LocalDateTime time, ZoneId zone) {
    ZonedDateTime later = time.atZone(zone).withLaterOffsetAtOverlap();
    return later.getOffset().getTotalSeconds() >= 0
        ? later.toInstant()
        : time.atZone(zone).toInstant();
  }
}
