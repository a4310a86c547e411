// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $dateAdd $dateSubtract $dateDiff $dateTrunc}. */
public final class DateArithmetic {
  /** Units of time in MongoDB's spelling. */
  public enum Unit {
    YEAR,
    QUARTER,
    MONTH,
    WEEK,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    MILLISECOND;

    /** Of the same length everywhere: hours and shorter. */
    public boolean isClock() {
      return this == HOUR || this == MINUTE || this == SECOND || this == MILLISECOND;
    }

    /**
     * The unit of a name.
     *
     * @throws EngineException 9 when there is none
     */
    public static Unit of(String name) {
      for (Unit unit : values()) {
        if (unit.name().toLowerCase(Locale.ROOT).equals(name)) {
          return unit;
        }
      }
      throw new EngineException(ErrorCodes.FAILED_TO_PARSE, "unknown time unit value: " + name);
    }
  }

  private DateArithmetic() {}

  static void register(Operators.Registrar operators) {
    operators.custom("$dateAdd", DateArithmetic::addition);
    operators.custom("$dateSubtract", DateArithmetic::addition);
    operators.custom("$dateDiff", DateArithmetic::difference);
    operators.custom("$dateTrunc", DateArithmetic::truncation);
  }

  /**
   * Refuses an unknown unit or time zone that is the same for every document, even if none is read;
   * when all arguments are so, evaluating them decides.
   */
  private static void checkConstants(String name, List<Node> nodes, int unit, int zone) {
    if (nodes.stream().allMatch(Node::isConstant)) {
      return;
    }
    BsonValue fixedUnit = nodes.get(unit).constant();
    if (fixedUnit != null && !Values.isNullish(fixedUnit)) {
      unit(name, fixedUnit);
    }
    Dates.zone(nodes.get(zone).constant());
  }

  private static Unit unit(String name, @Nullable BsonValue value) {
    if (!(value instanceof BsonString text)) {
      throw new EngineException(
          5439013, name + " requires 'unit' to be a string, but got " + BsonTypes.nameOf(value));
    }
    return Unit.of(text.getValue());
  }

  private static DayOfWeek startOfWeek(String name, @Nullable BsonValue value) {
    if (!(value instanceof BsonString text)) {
      throw new EngineException(
          5439015,
          name + " requires 'startOfWeek' to be a string, but got " + BsonTypes.nameOf(value));
    }
    String wanted = text.getValue().toLowerCase(Locale.ROOT);
    for (DayOfWeek day : DayOfWeek.values()) {
      String full = day.name().toLowerCase(Locale.ROOT);
      if (full.equals(wanted) || full.substring(0, 3).equals(wanted)) {
        return day;
      }
    }
    throw new EngineException(
        5439016,
        name
            + " parameter 'startOfWeek' value cannot be recognized as a day of a week: "
            + text.getValue());
  }

  private static Node addition(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(
            name, operand, 5166400, 5166401, Set.of("startDate", "unit", "amount", "timezone"));
    List<Node> nodes =
        List.of(
            parser.required(name, arguments, "startDate", 5166402),
            parser.required(name, arguments, "unit", 5166402),
            parser.required(name, arguments, "amount", 5166402),
            parser.optional(arguments, "timezone", Dates.UTC));
    checkConstants(name, nodes, 1, 3);
    return CallNode.of(
        nodes,
        a -> {
          BsonValue start = a[0];
          BsonValue amount = a[2];
          if (start == null || Values.isNullish(start) || Values.isNullish(a[1])) {
            return BsonNull.VALUE;
          }
          Unit unit = unit(name, a[1]);
          if (amount == null || Values.isNullish(amount)) {
            return BsonNull.VALUE;
          }
          ZoneId zone = Dates.zone(a[3]);
          if (zone == null) {
            return BsonNull.VALUE;
          }
          long date = date(name, 5166403, start);
          if (!amount.isNumber() || !Numbers.isLong(amount)) {
            throw new EngineException(5166405, name + " expects integer amount of time units");
          }
          long count = Numbers.toLong(amount);
          if (count == Long.MIN_VALUE && name.equals("$dateSubtract")) {
            throw new EngineException(6045000, "invalid $dateSubtract 'amount' argument value");
          }
          return new BsonDateTime(add(date, unit, name.equals("$dateAdd") ? count : -count, zone));
        });
  }

  private static long date(String name, int code, BsonValue value) {
    if (!(value instanceof BsonDateTime) && !value.isTimestamp() && !value.isObjectId()) {
      throw new EngineException(
          code, name + " requires date to be a Date, but got " + BsonTypes.nameOf(value));
    }
    return Dates.millis(value);
  }

  /** A date so many units later, by the calendar of the zone. */
  public static long add(long millis, Unit unit, long amount, ZoneId zone) {
    try {
      ZonedDateTime start = Instant.ofEpochMilli(millis).atZone(zone);
      ZonedDateTime end =
          switch (unit) {
            case YEAR -> start.plusYears(amount);
            case QUARTER -> start.plusMonths(Math.multiplyExact(amount, 3));
            case MONTH -> start.plusMonths(amount);
            case WEEK -> start.plusWeeks(amount);
            case DAY -> start.plusDays(amount);
            case HOUR -> start.plusHours(amount);
            case MINUTE -> start.plusMinutes(amount);
            case SECOND -> start.plusSeconds(amount);
            case MILLISECOND -> start.plus(amount, ChronoUnit.MILLIS);
          };
      return end.toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw new EngineException(ErrorCodes.DURATION_OVERFLOW, "date overflow: " + e.getMessage());
    }
  }

  private static Node difference(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(
            name,
            operand,
            5166301,
            5166302,
            Set.of("startDate", "endDate", "unit", "timezone", "startOfWeek"));
    List<Node> nodes =
        List.of(
            parser.required(name, arguments, "startDate", 5166303),
            parser.required(name, arguments, "endDate", 5166304),
            parser.required(name, arguments, "unit", 5166305),
            parser.optional(arguments, "timezone", Dates.UTC),
            parser.optional(arguments, "startOfWeek", new BsonString("sunday")));
    checkConstants(name, nodes, 2, 3);
    return CallNode.of(
        nodes,
        a -> {
          BsonValue start = a[0];
          BsonValue end = a[1];
          if (start == null
              || Values.isNullish(start)
              || end == null
              || Values.isNullish(end)
              || Values.isNullish(a[2])) {
            return BsonNull.VALUE;
          }
          Unit unit = unit(name, a[2]);
          if (unit == Unit.WEEK && Values.isNullish(a[4])) {
            return BsonNull.VALUE;
          }
          DayOfWeek first = unit == Unit.WEEK ? startOfWeek(name, a[4]) : DayOfWeek.SUNDAY;
          ZoneId zone = Dates.zone(a[3]);
          if (zone == null) {
            return BsonNull.VALUE;
          }
          LocalDateTime from =
              Instant.ofEpochMilli(date(name, 5166307, start)).atZone(zone).toLocalDateTime();
          LocalDateTime to =
              Instant.ofEpochMilli(date(name, 5166307, end)).atZone(zone).toLocalDateTime();
          if (unit.isClock()) {
            return new BsonInt64(boundaries(Dates.millis(start), Dates.millis(end), unit, zone));
          }
          return new BsonInt64(
              calendarBoundaries(from.toLocalDate(), to.toLocalDate(), unit, first));
        });
  }

  private static long calendarBoundaries(LocalDate from, LocalDate to, Unit unit, DayOfWeek first) {
    return switch (unit) {
      case YEAR -> (long) to.getYear() - from.getYear();
      case QUARTER -> quarters(to) - quarters(from);
      case MONTH -> months(to) - months(from);
      case WEEK ->
          ChronoUnit.WEEKS.between(
              from.with(TemporalAdjusters.previousOrSame(first)),
              to.with(TemporalAdjusters.previousOrSame(first)));
      default -> ChronoUnit.DAYS.between(from, to);
    };
  }

  private static long months(LocalDate date) {
    return date.getYear() * 12L + date.getMonthValue() - 1;
  }

  private static long quarters(LocalDate date) {
    return Math.floorDiv(months(date), 3L);
  }

  /** How often a boundary of the unit is crossed; hours and minutes start where the zone's do. */
  private static long boundaries(long from, long to, Unit unit, ZoneId zone) {
    if (unit == Unit.MILLISECOND) {
      try {
        return Math.subtractExact(to, from);
      } catch (ArithmeticException e) {
        throw new EngineException(5166308, "dateDiff overflowed");
      }
    }
    long size =
        switch (unit) {
          case HOUR -> 3_600_000L;
          case MINUTE -> 60_000L;
          default -> 1000L;
        };
    long a =
        from
            + zone.getRules().getOffset(Instant.ofEpochMilli(from)).getTotalSeconds()
                * 1000L
                % size;
    long b =
        to + zone.getRules().getOffset(Instant.ofEpochMilli(to)).getTotalSeconds() * 1000L % size;
    return Math.floorDiv(b, size) - Math.floorDiv(a, size);
  }

  private static Node truncation(String name, BsonValue operand, ExpressionParser parser) {
    BsonDocument arguments =
        parser.arguments(
            name,
            operand,
            5439007,
            5439008,
            Set.of("date", "unit", "binSize", "timezone", "startOfWeek"));
    List<Node> nodes =
        List.of(
            parser.required(name, arguments, "date", 5439009),
            parser.required(name, arguments, "unit", 5439010),
            parser.optional(arguments, "binSize", new BsonInt32(1)),
            parser.optional(arguments, "timezone", Dates.UTC),
            parser.optional(arguments, "startOfWeek", new BsonString("sunday")));
    checkConstants(name, nodes, 1, 3);
    return CallNode.of(
        nodes,
        a -> {
          BsonValue value = a[0];
          BsonValue bin = a[2];
          if (value == null || Values.isNullish(value) || bin == null || Values.isNullish(bin)) {
            return BsonNull.VALUE;
          }
          long size = binSize(bin);
          if (Values.isNullish(a[1])) {
            return BsonNull.VALUE;
          }
          Unit unit = unit(name, a[1]);
          if (unit == Unit.WEEK && Values.isNullish(a[4])) {
            return BsonNull.VALUE;
          }
          DayOfWeek first = unit == Unit.WEEK ? startOfWeek(name, a[4]) : DayOfWeek.SUNDAY;
          ZoneId zone = Dates.zone(a[3]);
          return zone == null
              ? BsonNull.VALUE
              : new BsonDateTime(truncate(date(name, 5166307, value), unit, size, zone, first));
        });
  }

  private static long binSize(BsonValue bin) {
    if (!bin.isNumber() || !Numbers.isLong(bin)) {
      throw new EngineException(
          5439017,
          "$dateTrunc requires 'binSize' to be a 64-bit integer, but got value '"
              + Values.show(bin)
              + "' of type "
              + BsonTypes.nameOf(bin));
    }
    long size = Numbers.toLong(bin);
    if (size <= 0) {
      throw new EngineException(
          5439018, "$dateTrunc requires 'binSize' to be greater than 0, but got value " + size);
    }
    return size;
  }

  /** The start of the bin that a date falls in; bins are counted from 2000-01-01 in the zone. */
  public static long truncate(long millis, Unit unit, long size, ZoneId zone, DayOfWeek first) {
    ZonedDateTime date = Instant.ofEpochMilli(millis).atZone(zone);
    ZonedDateTime reference = LocalDate.of(2000, 1, 1).atStartOfDay(zone);
    return switch (unit) {
      case YEAR -> bin(2000, size, date.getYear() - 2000L, 12, zone);
      case QUARTER -> bin(2000, size, quarters(date.toLocalDate()) - 8000, 3, zone);
      case MONTH -> bin(2000, size, months(date.toLocalDate()) - 24_000, 1, zone);
      case WEEK -> {
        LocalDate start = LocalDate.of(2000, 1, 1).with(TemporalAdjusters.nextOrSame(first));
        long weeks = Math.floorDiv(ChronoUnit.DAYS.between(start, date.toLocalDate()), 7 * size);
        yield start.plusDays(weeks * 7 * size).atStartOfDay(zone).toInstant().toEpochMilli();
      }
      case DAY -> {
        long days =
            Math.floorDiv(
                ChronoUnit.DAYS.between(reference.toLocalDate(), date.toLocalDate()), size);
        yield reference
            .toLocalDate()
            .plusDays(days * size)
            .atStartOfDay(zone)
            .toInstant()
            .toEpochMilli();
      }
      case HOUR, MINUTE, SECOND, MILLISECOND -> {
        long unitMillis =
            unit == Unit.HOUR
                ? 3_600_000L
                : unit == Unit.MINUTE ? 60_000L : unit == Unit.SECOND ? 1000L : 1L;
        long start = reference.toInstant().toEpochMilli();
        long step = Math.multiplyExact(unitMillis, size);
        yield start + Math.floorDiv(millis - start, step) * step;
      }
    };
  }

  private static long bin(int year, long size, long distance, int monthsPerUnit, ZoneId zone) {
    long bins = Math.floorDiv(distance, size);
    return LocalDate.of(year, 1, 1)
        .plusMonths(bins * size * monthsPerUnit)
        .atStartOfDay(zone)
        .toInstant()
        .toEpochMilli();
  }
}
