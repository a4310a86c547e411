// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The query language as slowly and plainly as possible, on built values: what the matcher is
 * compared with.
 */
public final class NaiveMatcher {
  private NaiveMatcher() {}

  public static boolean matches(BsonDocument filter, BsonDocument document) {
    for (Map.Entry<String, BsonValue> entry : filter.entrySet()) {
      boolean holds =
          switch (entry.getKey()) {
            case "$and" ->
                entry.getValue().asArray().stream()
                    .allMatch(each -> matches(each.asDocument(), document));
            case "$or" ->
                entry.getValue().asArray().stream()
                    .anyMatch(each -> matches(each.asDocument(), document));
            case "$nor" ->
                entry.getValue().asArray().stream()
                    .noneMatch(each -> matches(each.asDocument(), document));
            default -> field(entry.getKey(), entry.getValue(), document);
          };
      if (!holds) {
        return false;
      }
    }
    return true;
  }

  private static boolean field(String path, BsonValue condition, BsonDocument document) {
    if (condition.isDocument()
        && !condition.asDocument().isEmpty()
        && condition.asDocument().getFirstKey().startsWith("$")) {
      for (Map.Entry<String, BsonValue> operator : condition.asDocument().entrySet()) {
        if (!operator(path, operator.getKey(), operator.getValue(), document)) {
          return false;
        }
      }
      return true;
    }
    return operator(path, "$eq", condition, document);
  }

  private static boolean operator(
      String path, String operator, BsonValue operand, BsonDocument document) {
    return switch (operator) {
      case "$ne" -> !operator(path, "$eq", operand, document);
      case "$nin" -> !operator(path, "$in", operand, document);
      case "$not" -> !field(path, operand, document);
      case "$in" ->
          operand.asArray().stream().anyMatch(each -> operator(path, "$eq", each, document));
      case "$all" ->
          !operand.asArray().isEmpty()
              && operand.asArray().stream().allMatch(each -> operator(path, "$eq", each, document));
      case "$exists" ->
          candidates(path, document, false).stream().anyMatch(value -> value.value != null)
              == operand.asBoolean().getValue();
      case "$size" ->
          candidates(path, document, false).stream()
              .anyMatch(
                  value ->
                      value.value instanceof BsonArray array
                          && array.size() == operand.asInt32().getValue());
      case "$elemMatch" ->
          candidates(path, document, false).stream()
              .anyMatch(
                  value ->
                      value.value instanceof BsonArray array
                          && element(array, operand.asDocument()));
      default ->
          candidates(path, document, true).stream()
              .anyMatch(value -> compares(operator, value.value, operand));
    };
  }

  private static boolean element(BsonArray array, BsonDocument condition) {
    for (BsonValue each : array) {
      boolean holds;
      if (!condition.isEmpty() && condition.getFirstKey().startsWith("$")) {
        holds =
            condition.entrySet().stream()
                .allMatch(operator -> compares(operator.getKey(), each, operator.getValue()));
      } else if (each.isDocument()) {
        holds = matches(condition, each.asDocument());
      } else {
        holds = each.isArray() && matches(condition, asDocument(each.asArray()));
      }
      if (holds) {
        return true;
      }
    }
    return false;
  }

  private static BsonDocument asDocument(BsonArray array) {
    BsonDocument document = new BsonDocument();
    for (int i = 0; i < array.size(); i++) {
      document.append(Integer.toString(i), array.get(i));
    }
    return document;
  }

  private static boolean compares(String operator, @Nullable BsonValue value, BsonValue operand) {
    if (operand.isNull() && (value == null || value.isNull())) {
      return !operator.equals("$gt") && !operator.equals("$lt");
    }
    if (operand.getBsonType() == BsonType.MIN_KEY || operand.getBsonType() == BsonType.MAX_KEY) {
      boolean least = operand.getBsonType() == BsonType.MIN_KEY;
      if (value != null && value.getBsonType() == operand.getBsonType()) {
        return !operator.equals("$gt") && !operator.equals("$lt");
      }
      return least ? operator.startsWith("$gt") : operator.startsWith("$lt");
    }
    if (value != null && value.isNumber() && operand.isNumber()) {
      boolean valueNaN = Numbers.isNaN(value);
      boolean operandNaN = Numbers.isNaN(operand);
      if (valueNaN || operandNaN) {
        return valueNaN && operandNaN && !operator.equals("$gt") && !operator.equals("$lt");
      }
    }
    if (value == null
        || BsonTypes.rank(BsonTypes.codeOf(value)) != BsonTypes.rank(BsonTypes.codeOf(operand))) {
      return false;
    }
    int order = BsonOrder.SIMPLE.compare(value, operand);
    return switch (operator) {
      case "$eq" -> order == 0;
      case "$gt" -> order > 0;
      case "$gte" -> order >= 0;
      case "$lt" -> order < 0;
      default -> order <= 0;
    };
  }

  /** A value that a path reaches; null when it is missing. */
  private record Candidate(@Nullable BsonValue value) {}

  private static List<Candidate> candidates(String path, BsonDocument document, boolean expand) {
    List<Candidate> found = new ArrayList<>();
    inDocument(List.of(path.split("\\.")), document, expand, found);
    return found;
  }

  private static void inDocument(
      List<String> path, BsonDocument document, boolean expand, List<Candidate> found) {
    BsonValue value = document.get(path.getFirst());
    List<String> rest = path.subList(1, path.size());
    if (rest.isEmpty()) {
      if (expand && value instanceof BsonArray array) {
        array.forEach(each -> found.add(new Candidate(each)));
      }
      found.add(new Candidate(value));
    } else if (value instanceof BsonDocument inner) {
      inDocument(rest, inner, expand, found);
    } else if (value instanceof BsonArray array) {
      inArray(rest, array, expand, found);
    } else {
      found.add(new Candidate(null));
    }
  }

  private static void inArray(
      List<String> path, BsonArray array, boolean expand, List<Candidate> found) {
    for (int i = 0; i < array.size(); i++) {
      BsonValue each = array.get(i);
      if (each instanceof BsonDocument inner) {
        inDocument(path, inner, expand, found);
      }
      if (path.getFirst().equals(Integer.toString(i))) {
        List<String> rest = path.subList(1, path.size());
        if (rest.isEmpty()) {
          found.add(new Candidate(each));
        } else if (each instanceof BsonDocument inner) {
          inDocument(rest, inner, expand, found);
        } else if (each instanceof BsonArray inner) {
          inArray(rest, inner, expand, found);
        }
      }
    }
  }
}
