// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.projection;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.Numbers;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * What only find's projection has: {@code $slice} on a field, {@code $elemMatch}, and the
 * positional {@code $}.
 */
final class FindOperators {
  private FindOperators() {}

  static ShapeNode.FieldChange slice(BsonValue operand) {
    if (operand.isArray()) {
      BsonArray pair = operand.asArray();
      if (pair.size() != 2) {
        throw new EngineException(
            28667,
            "Invalid $slice syntax. The given syntax { $slice: "
                + io.fairlead.engine.value.Values.show(operand)
                + " } did not match the find() syntax because :: Location31272: $slice array"
                + " argument should be of form [skip, limit] :: The given syntax did not match the"
                + " expression $slice syntax. :: caused by :: Expression $slice takes at least 2"
                + " arguments, and at most 3, but "
                + pair.size()
                + " were passed in.");
      }
      int skip = clamp(pair.get(0));
      int limit = clamp(pair.get(1));
      if (limit <= 0) {
        throw new EngineException(
            28724, "First argument to $slice must be an array, but is of type: int");
      }
      return (value, shaping) -> value.isArray() ? from(value.asArray(), skip, limit) : value;
    }
    if (!operand.isNumber()) {
      throw new EngineException(
          28667,
          "Invalid $slice syntax. The given syntax { $slice: "
              + io.fairlead.engine.value.Values.show(operand)
              + " } did not match the find() syntax");
    }
    int count = clamp(operand);
    return (value, shaping) -> {
      if (!value.isArray()) {
        return value;
      }
      return count >= 0 ? from(value.asArray(), 0, count) : from(value.asArray(), count, -count);
    };
  }

  private static int clamp(BsonValue number) {
    return (int)
        Math.max(Integer.MIN_VALUE + 1, Math.min(Integer.MAX_VALUE, Numbers.toLong(number)));
  }

  private static BsonArray from(BsonArray array, int skip, int limit) {
    int size = array.size();
    int start = skip < 0 ? Math.max(0, size + skip) : Math.min(size, skip);
    int end = (int) Math.min(size, (long) start + limit);
    return new BsonArray(array.subList(start, end));
  }

  static ShapeNode.FieldChange elementMatch(
      String dotted, BsonValue operand, ShapeNode.Mode mode, OperationContext context) {
    if (dotted.indexOf('.') >= 0) {
      throw new EngineException(31275, "Cannot use $elemMatch projection on a nested field.");
    }
    BsonValue condition = operand.asDocument().get("$elemMatch");
    if (condition == null || !condition.isDocument()) {
      throw new EngineException(
          31274,
          "elemMatch: Invalid argument, object required, but got "
              + io.fairlead.engine.value.BsonTypes.nameOf(condition));
    }
    // the filter on a document with that one field tells which element matches
    BsonDocument filter = new BsonDocument("a", operand);
    Matcher matcher = Matcher.compileFields(filter, context);
    return (value, shaping) -> {
      if (!value.isArray()) {
        return mode == ShapeNode.Mode.EXCLUDE ? value : null;
      }
      RawBsonDocument holder = DocumentWriter.write(new BsonDocument("a", value));
      int index = matcher.arrayIndex(holder);
      return index < 0 ? null : new BsonArray(List.of(value.asArray().get(index)));
    };
  }

  static ShapeNode.FieldChange positional(Matcher filter) {
    return (value, shaping) -> {
      if (!value.isArray()) {
        return value;
      }
      int index = filter.arrayIndex(shaping.root());
      if (index < 0) {
        throw new EngineException(
            51246,
            "Executor error during find command :: caused by :: positional operator '.$' couldn't"
                + " find a matching element in the array");
      }
      if (index >= value.asArray().size()) {
        throw new EngineException(
            51247,
            "Executor error during find command :: caused by :: positional operator '.$' element"
                + " mismatch");
      }
      return new BsonArray(List.of(value.asArray().get(index)));
    };
  }
}
