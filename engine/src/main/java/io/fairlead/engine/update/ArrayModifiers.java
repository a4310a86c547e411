// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import static io.fairlead.engine.update.FieldModifiers.bad;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueSet;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $push $addToSet $pop $pull $pullAll}. */
final class ArrayModifiers {
  private ArrayModifiers() {}

  private static List<BsonValue> copies(List<BsonValue> values) {
    List<BsonValue> copies = new ArrayList<>(values.size());
    values.forEach(value -> copies.add(Mutable.copy(value)));
    return copies;
  }

  /** {@code $push} with {@code $each $position $slice $sort}: put in, sort, cut. */
  record Push(
      List<BsonValue> values,
      @Nullable Long position,
      @Nullable Long slice,
      @Nullable Comparator<BsonValue> sort)
      implements Modifier {
    static Push parse(BsonValue operand, OperationContext context) {
      if (!operand.isDocument() || !operand.asDocument().containsKey("$each")) {
        return new Push(List.of(operand), null, null, null);
      }
      List<BsonValue> values = List.of();
      Long position = null;
      Long slice = null;
      Comparator<BsonValue> sort = null;
      for (Map.Entry<String, BsonValue> clause : operand.asDocument().entrySet()) {
        BsonValue value = clause.getValue();
        switch (clause.getKey()) {
          case "$each" -> {
            if (!value.isArray()) {
              throw bad(
                  "The argument to $each in $push must be an array but it was of type: "
                      + BsonTypes.nameOf(value));
            }
            values = List.copyOf(value.asArray());
          }
          case "$position" -> position = whole("$position", ", not of type: ", value);
          case "$slice" -> slice = whole("$slice", " but was given type: ", value);
          case "$sort" -> sort = sort(value, context.order());
          default -> throw bad("Unrecognized clause in $push: " + clause.getKey());
        }
      }
      return new Push(values, position, slice, sort);
    }

    private static Long whole(String clause, String middle, BsonValue value) {
      if (!value.isNumber() || !Numbers.isLong(value)) {
        throw bad(
            "The value for "
                + clause
                + " must be an integer value"
                + middle
                + BsonTypes.nameOf(value));
      }
      return Numbers.toLong(value);
    }

    private static Comparator<BsonValue> sort(BsonValue value, BsonOrder order) {
      if (value.isDocument()) {
        if (value.asDocument().isEmpty()) {
          throw bad("The $sort pattern is empty when it should be a set of fields.");
        }
        value.asDocument().forEach(Push::checkSortField);
        SortPattern pattern = SortPattern.parse(value.asDocument());
        var documents = pattern.plainComparator(order);
        BsonDocument none = new BsonDocument();
        return (a, b) ->
            documents.compare(
                RawBytes.raw(a.isDocument() ? a.asDocument() : none),
                RawBytes.raw(b.isDocument() ? b.asDocument() : none));
      }
      long direction = value.isNumber() && Numbers.isLong(value) ? Numbers.toLong(value) : 0;
      if (direction != 1 && direction != -1) {
        throw bad(
            "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort"
                + " embedded fields");
      }
      return direction == 1 ? order::compare : (a, b) -> order.compare(b, a);
    }

    private static void checkSortField(String field, BsonValue direction) {
      if (field.isEmpty()) {
        throw bad("The $sort field cannot be empty");
      }
      if (List.of(field.split("\\.", -1)).contains("")) {
        throw bad("The $sort field is a dotted field but has an empty part: " + field);
      }
      long value =
          direction.isNumber() && Numbers.isLong(direction) ? Numbers.toLong(direction) : 0;
      if (value != 1 && value != -1) {
        throw bad("The $sort element value must be either 1 or -1");
      }
    }

    @Override
    public void apply(Place place) {
      BsonValue current = place.get();
      if (current != null && !current.isArray()) {
        throw bad(
            "The field '"
                + place.path()
                + "' must be an array but is of type "
                + BsonTypes.nameOf(current)
                + " in document "
                + place.document());
      }
      List<BsonValue> elements =
          current == null ? new ArrayList<>() : new ArrayList<>(current.asArray());
      elements.addAll(index(elements.size()), copies(values));
      if (sort != null) {
        elements.sort(sort);
      }
      place.set(new BsonArray(cut(elements)));
    }

    private int index(int size) {
      if (position == null || position >= size) {
        return size;
      }
      return (int) (position >= 0 ? position : Math.max(0, size + position));
    }

    private List<BsonValue> cut(List<BsonValue> elements) {
      if (slice == null) {
        return elements;
      }
      int size = elements.size();
      return slice >= 0
          ? elements.subList(0, (int) Math.min(size, slice))
          : elements.subList((int) Math.max(0, size + slice), size);
    }
  }

  record AddToSet(List<BsonValue> values, BsonOrder order) implements Modifier {
    static AddToSet parse(BsonValue operand, BsonOrder order) {
      if (!operand.isDocument()
          || operand.asDocument().isEmpty()
          || !operand.asDocument().getFirstKey().equals("$each")) {
        return new AddToSet(List.of(operand), order);
      }
      BsonDocument document = operand.asDocument();
      BsonValue each = java.util.Objects.requireNonNull(document.get("$each"));
      if (!each.isArray()) {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH,
            "The argument to $each in $addToSet must be an array but it was of type "
                + BsonTypes.nameOf(each));
      }
      if (document.size() > 1) {
        throw bad(
            "Found unexpected fields after $each in $addToSet: " + Values.showDocument(document));
      }
      return new AddToSet(List.copyOf(each.asArray()), order);
    }

    @Override
    public void apply(Place place) {
      BsonValue current = place.get();
      if (current != null && !current.isArray()) {
        throw bad(
            "Cannot apply $addToSet to non-array field. Field named '"
                + FieldModifiers.last(place.path())
                + "' has non-array type "
                + BsonTypes.nameOf(current));
      }
      List<BsonValue> elements =
          current == null ? new ArrayList<>() : new ArrayList<>(current.asArray());
      ValueSet known = new ValueSet(order);
      elements.forEach(known::add);
      boolean added = current == null;
      for (BsonValue value : values) {
        if (known.add(value)) {
          elements.add(Mutable.copy(value));
          added = true;
        }
      }
      if (added) {
        place.set(new BsonArray(elements));
      }
    }
  }

  record Pop(boolean first) implements Modifier {
    static Pop parse(String path, BsonValue operand) {
      if (!operand.isNumber()) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE,
            "Expected a number in: " + path + ": " + Values.show(operand));
      }
      long which = Numbers.isLong(operand) ? Numbers.toLong(operand) : 0;
      if (which != 1 && which != -1) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE, "$pop expects 1 or -1, found: " + Values.show(operand));
      }
      return new Pop(which == -1);
    }

    @Override
    public void apply(Place place) {
      BsonValue current = place.get();
      if (current == null) {
        return;
      }
      if (!current.isArray()) {
        throw new EngineException(
            ErrorCodes.TYPE_MISMATCH,
            "Path '"
                + place.path()
                + "' contains an element of non-array type '"
                + BsonTypes.nameOf(current)
                + "'");
      }
      List<BsonValue> elements = new ArrayList<>(current.asArray());
      if (!elements.isEmpty()) {
        elements.remove(first ? 0 : elements.size() - 1);
        place.set(new BsonArray(elements));
      }
    }

    @Override
    public boolean creates() {
      return false;
    }
  }

  /** {@code $pull} and {@code $pullAll}: takes out every element that the condition holds for. */
  record Pull(Predicate<BsonValue> condition) implements Modifier {
    static Pull parse(BsonValue operand, OperationContext context) {
      if (operand.isDocument()) {
        BsonDocument document = operand.asDocument();
        // $and, $or and their like are conditions on the element's fields
        boolean onValue =
            Matcher.isOperators(document) && !Matcher.isTopLevel(document.getFirstKey());
        if (onValue) {
          Matcher matcher = Matcher.compileForValues(document, context);
          return new Pull(value -> matcher.matchesValue(Slice.of(value)));
        }
        Matcher matcher = Matcher.compileFields(document, context);
        return new Pull(
            value -> value.isDocument() && matcher.matches(RawBytes.raw(value.asDocument())));
      }
      if (operand instanceof BsonRegularExpression) {
        Matcher matcher = Matcher.compileForValues(new BsonDocument("$regex", operand), context);
        return new Pull(value -> matcher.matchesValue(Slice.of(value)));
      }
      return new Pull(value -> context.order().equal(value, operand));
    }

    static Pull all(BsonValue operand, BsonOrder order) {
      if (!operand.isArray()) {
        throw bad(
            "$pullAll requires an array argument but was given a " + BsonTypes.nameOf(operand));
      }
      ValueSet values = new ValueSet(order);
      operand.asArray().forEach(values::add);
      return new Pull(values::contains);
    }

    @Override
    public void apply(Place place) {
      BsonValue current = place.get();
      if (current == null) {
        return;
      }
      if (!current.isArray()) {
        throw bad("Cannot apply $pull to a non-array value");
      }
      List<BsonValue> elements = new ArrayList<>(current.asArray());
      if (elements.removeIf(condition)) {
        place.set(new BsonArray(elements));
      }
    }

    @Override
    public boolean creates() {
      return false;
    }
  }
}
