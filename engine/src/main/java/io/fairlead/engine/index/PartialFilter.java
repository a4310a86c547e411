// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.query.Predicate;
import io.fairlead.engine.query.Predicate.Comparison;
import io.fairlead.engine.query.Predicate.Operator;
import io.fairlead.engine.value.BsonOrder;
import java.util.List;
import java.util.Objects;
import org.bson.BsonValue;

/** What a partial index may be filtered by, and which queries its filter covers. */
public final class PartialFilter {
  private PartialFilter() {}

  /**
   * Refuses what MongoDB does not let into the filter of an index.
   *
   * @throws EngineException 67
   */
  static void check(IndexDefinition index) {
    checkPart(Objects.requireNonNull(index.filter()).predicate());
  }

  private static void checkPart(Predicate part) {
    switch (part) {
      case Predicate.And and -> and.children().forEach(PartialFilter::checkPart);
      case Predicate.Or or -> or.children().forEach(PartialFilter::checkPart);
      case Comparison comparison -> {}
      case Predicate.Exists exists -> {}
      case Predicate.Type type -> {}
      case Predicate.In in -> {
        if (!in.patterns().isEmpty()) {
          refuse(part);
        }
      }
      case Predicate.Constant constant -> {}
      case Predicate.Geo geo -> {}
      case Predicate.Near near -> refuse(part);
      case Predicate.Text text -> refuse(part);
      case Predicate.Nor nor -> refuse(part);
      case Predicate.Not not -> refuse(part);
      case Predicate.Regex regex -> refuse(part);
      case Predicate.ElementMatch match -> refuse(part);
      case Predicate.ElementValueMatch match -> refuse(part);
      case Predicate.Opaque opaque -> refuse(part);
    }
  }

  private static void refuse(Predicate part) {
    throw new EngineException(
        ErrorCodes.CANNOT_CREATE_INDEX, "Expression not supported in partial index: " + part);
  }

  /**
   * Whether every document that matches {@code query} matches {@code filter}; false when that
   * cannot be seen.
   */
  public static boolean covers(Matcher filter, Predicate query) {
    return implies(query, filter.predicate());
  }

  private static boolean implies(Predicate query, Predicate wanted) {
    if (wanted instanceof Predicate.And all) {
      return all.children().stream().allMatch(part -> implies(query, part));
    }
    if (query.equals(wanted) || wanted.equals(new Predicate.Constant(true))) {
      return true;
    }
    if (query instanceof Predicate.And all) {
      return all.children().stream().anyMatch(part -> implies(part, wanted));
    }
    if (query instanceof Predicate.Or any && !any.children().isEmpty()) {
      return any.children().stream().allMatch(part -> implies(part, wanted));
    }
    if (wanted instanceof Predicate.Or any) {
      return any.children().stream().anyMatch(part -> implies(query, part));
    }
    if (query instanceof Comparison has) {
      return implies(has, wanted);
    }
    if (query instanceof Predicate.In in && in.patterns().isEmpty() && !in.values().isEmpty()) {
      return in.values().stream()
          .allMatch(value -> implies(new Comparison(in.path(), Operator.EQ, value), wanted));
    }
    return false;
  }

  private static boolean implies(Comparison has, Predicate wanted) {
    return switch (wanted) {
      case Predicate.Exists exists -> exists.path().equals(has.path()) && !has.value().isNull();
      case Comparison wish -> wish.path().equals(has.path()) && within(has, wish);
      case Predicate.In in ->
          in.path().equals(has.path())
              && has.operator() == Operator.EQ
              && in.values().stream().anyMatch(value -> BsonOrder.SIMPLE.equal(value, has.value()));
      default -> false;
    };
  }

  /**
   * Whether what compares so with one value compares so with the other: values of one type only.
   */
  private static boolean within(Comparison has, Comparison wish) {
    if (!List.of(has.value(), wish.value()).stream()
            .allMatch(value -> value.isNumber() || value.isString() || value.isDateTime())
        || has.value().isNumber() != wish.value().isNumber()
        || has.value().isString() != wish.value().isString()) {
      return false;
    }
    if (isNaN(has.value()) || isNaN(wish.value())) {
      return false;
    }
    int order = BsonOrder.SIMPLE.compare(has.value(), wish.value());
    return switch (wish.operator()) {
      case EQ -> has.operator() == Operator.EQ && order == 0;
      case GT -> (order > 0 && isLowerBound(has)) || (order == 0 && has.operator() == Operator.GT);
      case GTE -> order >= 0 && isLowerBound(has);
      case LT -> (order < 0 && isUpperBound(has)) || (order == 0 && has.operator() == Operator.LT);
      case LTE -> order <= 0 && isUpperBound(has);
    };
  }

  private static boolean isNaN(BsonValue value) {
    return value.isNumber() && Double.isNaN(value.asNumber().doubleValue());
  }

  private static boolean isLowerBound(Comparison has) {
    return has.operator() == Operator.EQ
        || has.operator() == Operator.GT
        || has.operator() == Operator.GTE;
  }

  private static boolean isUpperBound(Comparison has) {
    return has.operator() == Operator.EQ
        || has.operator() == Operator.LT
        || has.operator() == Operator.LTE;
  }
}
