// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Slice;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;

/** A test of one value, which may be missing. */
sealed interface ValueTest
    permits ValueTest.Compare,
        ValueTest.OneOf,
        ValueTest.Exists,
        ValueTest.HasType,
        ValueTest.HasSize,
        ValueTest.Modulo,
        ValueTest.ElementDocument,
        ValueTest.ElementValue,
        GeoTest,
        Pattern,
        Bits {
  boolean test(Slice value, Evaluation evaluation);

  Predicate predicate(FieldPath path);

  /** Whether an array at the end of the path is also tested element by element. */
  default boolean looksIntoArrays() {
    return true;
  }

  /** Ordering within a type bracket. */
  record Compare(Predicate.Operator operator, BsonValue operand, Slice constant, BsonOrder order)
      implements ValueTest {
    static Compare of(Predicate.Operator operator, BsonValue operand, BsonOrder order) {
      return new Compare(operator, operand, Slice.of(operand).detached(), order);
    }

    @Override
    public boolean test(Slice value, Evaluation evaluation) {
      if (value.isWhole() && constant.isWhole()) {
        return holds(Long.compare(value.whole(), constant.whole()));
      }
      int rank = BsonTypes.rank(value.type());
      int wanted = BsonTypes.rank(constant.type());
      if (rank != wanted) {
        return acrossBrackets(value);
      }
      if (rank == BsonTypes.RANK_NUMBER && (isNaN(value) || isNaN(constant))) {
        return operator != Predicate.Operator.GT
            && operator != Predicate.Operator.LT
            && isNaN(value)
            && isNaN(constant);
      }
      return holds(order.compare(value, constant));
    }

    private boolean holds(int comparison) {
      return switch (operator) {
        case EQ -> comparison == 0;
        case GT -> comparison > 0;
        case GTE -> comparison >= 0;
        case LT -> comparison < 0;
        case LTE -> comparison <= 0;
      };
    }

    private boolean acrossBrackets(Slice value) {
      return switch (constant.type()) {
        case BsonTypes.NULL ->
            value.isMissing()
                && operator != Predicate.Operator.GT
                && operator != Predicate.Operator.LT;
        case BsonTypes.MIN_KEY ->
            operator == Predicate.Operator.GT || operator == Predicate.Operator.GTE;
        case BsonTypes.MAX_KEY ->
            operator == Predicate.Operator.LT || operator == Predicate.Operator.LTE;
        default -> false;
      };
    }

    private static boolean isNaN(Slice value) {
      return switch (value.type()) {
        case BsonTypes.DOUBLE -> Double.isNaN(value.float64());
        case BsonTypes.DECIMAL128 -> Numbers.isNaN(java.util.Objects.requireNonNull(value.value()));
        default -> false;
      };
    }

    @Override
    public Predicate predicate(FieldPath path) {
      return new Predicate.Comparison(path, operator, operand);
    }
  }

  /** Equal to one of the values, or matched by a pattern. */
  record OneOf(
      List<BsonValue> values,
      List<Slice> sorted,
      boolean matchesMissing,
      List<Pattern> patterns,
      BsonOrder order)
      implements ValueTest {
    static OneOf of(List<BsonValue> values, List<Pattern> patterns, BsonOrder order) {
      Slice[] sorted = new Slice[values.size()];
      for (int i = 0; i < sorted.length; i++) {
        sorted[i] = Slice.of(values.get(i)).detached();
      }
      Arrays.sort(sorted, order::compare);
      boolean withNull = values.stream().anyMatch(BsonValue::isNull);
      return new OneOf(values, List.of(sorted), withNull, patterns, order);
    }

    @Override
    public boolean test(Slice value, Evaluation evaluation) {
      if (value.isMissing()) {
        return matchesMissing;
      }
      if (Collections.binarySearch(sorted, value, order::compare) >= 0) {
        return true;
      }
      for (Pattern pattern : patterns) {
        if (pattern.test(value, evaluation)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public Predicate predicate(FieldPath path) {
      List<BsonRegularExpression> regexes = patterns.stream().map(Pattern::source).toList();
      return new Predicate.In(path, values, regexes);
    }
  }

  /** There is a value, null included. */
  record Exists() implements ValueTest {
    @Override
    public boolean test(Slice value, Evaluation evaluation) {
      return !value.isMissing();
    }

    @Override
    public boolean looksIntoArrays() {
      return false;
    }

    @Override
    public Predicate predicate(FieldPath path) {
      return new Predicate.Exists(path);
    }
  }

  /** The value is of one of the types. */
  record HasType(Set<Integer> codes) implements ValueTest {
    @Override
    public boolean test(Slice value, Evaluation evaluation) {
      return codes.contains(value.type());
    }

    @Override
    public Predicate predicate(FieldPath path) {
      return new Predicate.Type(path, codes);
    }
  }

  /** An array of so many elements. */
  record HasSize(long size) implements ValueTest {
    @Override
    public boolean test(Slice value, Evaluation evaluation) {
      if (!value.isArray()) {
        return false;
      }
      ElementCursor cursor = new ElementCursor(value.bytes(), value.start());
      long count = 0;
      while (cursor.next()) {
        count++;
      }
      return count == size;
    }

    @Override
    public boolean looksIntoArrays() {
      return false;
    }

    @Override
    public Predicate predicate(FieldPath path) {
      return new Predicate.Opaque("$size", path);
    }
  }

  /** A number whose whole part leaves this remainder. */
  record Modulo(long divisor, long remainder) implements ValueTest {
    @Override
    public boolean test(Slice value, Evaluation evaluation) {
      long number;
      switch (value.type()) {
        case BsonTypes.INT32 -> number = value.int32();
        case BsonTypes.INT64 -> number = value.int64();
        case BsonTypes.DOUBLE -> {
          double real = value.float64();
          if (!(real > -0x1p63 && real < 0x1p63)) {
            return false;
          }
          number = (long) real;
        }
        case BsonTypes.DECIMAL128 -> {
          BsonValue decimal = java.util.Objects.requireNonNull(value.value());
          double real = Numbers.toDouble(decimal);
          if (!(real > -0x1p63 && real < 0x1p63)) {
            return false;
          }
          number = Numbers.toLong(decimal);
        }
        default -> {
          return false;
        }
      }
      return number % divisor == remainder;
    }

    @Override
    public Predicate predicate(FieldPath path) {
      return new Predicate.Opaque("$mod", path);
    }
  }

  /**
   * An array with an element that is a document (or an array, taken as one) for which the child
   * holds.
   */
  record ElementDocument(Check child) implements ValueTest {
    @Override
    public boolean test(Slice value, Evaluation evaluation) {
      if (!value.isArray()) {
        return false;
      }
      ElementCursor cursor = new ElementCursor(value.bytes(), value.start());
      Evaluation inner = new Evaluation(cursor.bytes(), value.start());
      for (int index = 0; cursor.next(); index++) {
        if ((cursor.type() == BsonTypes.DOCUMENT || cursor.type() == BsonTypes.ARRAY)
            && child.document(cursor.bytes(), cursor.valueStart(), inner)) {
          evaluation.arrayIndex = index;
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean looksIntoArrays() {
      return false;
    }

    @Override
    public Predicate predicate(FieldPath path) {
      return new Predicate.ElementMatch(path, child.predicate());
    }
  }

  /** An array with an element that passes the child, which tests the element itself. */
  record ElementValue(Check child) implements ValueTest {
    @Override
    public boolean test(Slice value, Evaluation evaluation) {
      if (!value.isArray()) {
        return false;
      }
      ElementCursor cursor = new ElementCursor(value.bytes(), value.start());
      Slice element = new Slice();
      for (int index = 0; cursor.next(); index++) {
        if (child.value(cursor.into(element), evaluation)) {
          evaluation.arrayIndex = index;
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean looksIntoArrays() {
      return false;
    }

    @Override
    public Predicate predicate(FieldPath path) {
      Predicate inner = child.predicate();
      return new Predicate.ElementValueMatch(
          path, inner instanceof Predicate.And and ? and.children() : List.of(inner));
    }
  }
}
