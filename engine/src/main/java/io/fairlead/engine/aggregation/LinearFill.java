// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.expression.Interpolation;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** {@code $linearFill}: what is null between two numbers, on the line from one to the other. */
final class LinearFill implements WindowFunction {
  private final Expression expression;

  LinearFill(Expression expression) {
    this.expression = expression;
  }

  @Override
  public List<BsonValue> compute(Partition partition) {
    List<BsonValue> places = partition.sortValues();
    List<BsonValue> values = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      values.add(value(partition.rows().get(i)));
      check(partition, i);
    }
    List<BsonValue> filled = new ArrayList<>(values);
    int left = -1;
    for (int right = 0; right < values.size(); right++) {
      if (Values.isNullish(values.get(right))) {
        continue;
      }
      for (int i = left + 1; left >= 0 && i < right; i++) {
        BsonValue between =
            Interpolation.at(
                places.get(i),
                places.get(left),
                values.get(left),
                places.get(right),
                values.get(right));
        filled.set(i, between == null ? BsonNull.VALUE : between);
      }
      left = right;
    }
    return filled;
  }

  private BsonValue value(RawBsonDocument row) {
    BsonValue value = expression.evaluate(row);
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!value.isNumber()) {
      throw mismatch("Value to be filled must be numeric or nullish, but found ", value);
    }
    return value;
  }

  /** Refuses a place that is no place, one that comes twice, and places of two kinds. */
  private static void check(Partition partition, int row) {
    BsonValue place = partition.sortValues().get(row);
    if (!place.isNumber() && !isDate(place)) {
      throw mismatch("Value of the sortBy field must be numeric or a date, but found ", place);
    }
    if (row == 0) {
      return;
    }
    BsonValue before = partition.sortValues().get(row - 1);
    if (partition.context().order().equal(place, before)) {
      throw new EngineException(6050106, "There can be no repeated values in the sort field");
    }
    if (place.isNumber() != before.isNumber()) {
      throw mismatch(
          "Conflicting sort value types, previously received type "
              + BsonTypes.nameOf(before)
              + ", but found ",
          place);
    }
  }

  private static boolean isDate(BsonValue value) {
    return value.isDateTime() || value.isTimestamp() || value.isObjectId();
  }

  private static EngineException mismatch(String what, BsonValue found) {
    return new EngineException(ErrorCodes.TYPE_MISMATCH, what + BsonTypes.nameOf(found));
  }
}
