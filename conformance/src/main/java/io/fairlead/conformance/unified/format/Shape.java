// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What a value in a test file must look like. Shapes are constants and combine. */
@FunctionalInterface
interface Shape {
  /**
   * Checks a value.
   *
   * @param path where the value is, for the message
   * @throws InvalidFileException when it does not have this shape
   */
  void check(String path, BsonValue value);

  static Shape anything() {
    return (path, value) -> {};
  }

  static Shape string() {
    return (path, value) -> require(value.isString(), path, "a string");
  }

  static Shape string(Pattern pattern) {
    return (path, value) ->
        require(
            value.isString() && pattern.matcher(value.asString().getValue()).matches(),
            path,
            "a string like " + pattern);
  }

  static Shape oneOf(String... names) {
    Set<String> known = Set.of(names);
    return (path, value) ->
        require(
            value.isString() && known.contains(value.asString().getValue()),
            path,
            "one of " + new TreeSet<>(known));
  }

  static Shape bool() {
    return (path, value) -> require(value.isBoolean(), path, "a boolean");
  }

  static Shape isTrue() {
    return (path, value) ->
        require(value.isBoolean() && value.asBoolean().getValue(), path, "true");
  }

  static Shape integer() {
    return (path, value) -> require(value.isInt32() || value.isInt64(), path, "an integer");
  }

  static Shape document() {
    return (path, value) -> require(value.isDocument(), path, "an object");
  }

  /** An object of at least one field. */
  static Shape filledDocument() {
    return (path, value) ->
        require(
            value.isDocument() && !value.asDocument().isEmpty(), path, "an object with a field");
  }

  static Shape arrayOf(Shape item) {
    return arrayOf(0, item);
  }

  static Shape filledArrayOf(Shape item) {
    return arrayOf(1, item);
  }

  private static Shape arrayOf(int least, Shape item) {
    return (path, value) -> {
      require(
          value.isArray() && value.asArray().size() >= least,
          path,
          "an array of at least " + least + " items");
      List<BsonValue> items = value.asArray();
      for (int i = 0; i < items.size(); i++) {
        item.check(path + "[" + i + "]", items.get(i));
      }
    };
  }

  /** The first of these that fits decides; none fits: the last one's complaint. */
  static Shape either(Shape first, Shape second) {
    return (path, value) -> {
      try {
        first.check(path, value);
      } catch (InvalidFileException notTheFirst) {
        second.check(path, value);
      }
    };
  }

  /** A shape that is defined later, or within itself. */
  static Shape later(Supplier<Shape> shape) {
    return (path, value) -> shape.get().check(path, value);
  }

  static Fields fields() {
    return new Fields();
  }

  /** An object that has only fields that are named here. */
  final class Fields implements Shape {
    private final Map<String, Shape> known = new LinkedHashMap<>();
    private final Map<Pattern, Shape> patterns = new LinkedHashMap<>();
    private final Set<String> required = new TreeSet<>();
    private int least;
    private int most = Integer.MAX_VALUE;

    Fields must(String name, Shape shape) {
      required.add(name);
      return may(name, shape);
    }

    Fields may(String name, Shape shape) {
      known.put(name, shape);
      return this;
    }

    Fields may(Pattern name, Shape shape) {
      patterns.put(name, shape);
      return this;
    }

    Fields atLeastOne() {
      least = 1;
      return this;
    }

    Fields exactlyOne() {
      most = 1;
      return atLeastOne();
    }

    @Override
    public void check(String path, BsonValue value) {
      require(value.isDocument(), path, "an object");
      BsonDocument document = value.asDocument();
      for (String name : required) {
        require(document.containsKey(name), path, "an object with the field '" + name + "'");
      }
      require(
          document.size() >= least && document.size() <= most,
          path,
          "an object of " + least + (most == 1 ? "" : " or more") + " fields");
      document.forEach((name, field) -> shapeOf(path, name).check(path + "." + name, field));
    }

    private Shape shapeOf(String path, String name) {
      Shape shape = known.get(name);
      if (shape != null) {
        return shape;
      }
      return patterns.entrySet().stream()
          .filter(each -> each.getKey().matcher(name).matches())
          .map(Map.Entry::getValue)
          .findFirst()
          .orElseThrow(
              () -> new InvalidFileException(path + " has the unknown field '" + name + "'"));
    }
  }

  private static void require(boolean holds, String path, String wanted) {
    if (!holds) {
      throw new InvalidFileException(path + " must be " + wanted);
    }
  }
}
