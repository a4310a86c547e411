// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.ValueHash;
import io.fairlead.engine.value.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Objects and sizes: {@code $mergeObjects $getField $setField $unsetField $bsonSize $binarySize},
 * and {@code $rand $meta}.
 */
final class Objects {
  private Objects() {}

  static void register(Operators.Registrar operators) {
    operators.variadic("$mergeObjects", Objects::merge);
    operators.custom("$getField", Objects::getField);
    operators.custom("$setField", Objects::setField);
    operators.custom("$unsetField", Objects::setField);
    operators.fixed("$bsonSize", 1, a -> bsonSize(a[0]));
    operators.fixed("$binarySize", 1, a -> binarySize(a[0]));
    operators.custom("$rand", Objects::rand);
    operators.custom("$meta", Objects::meta);
    operators.fixed("$toHashedIndexKey", 1, a -> new BsonInt64(ValueHash.of(a[0])));
    for (String script : List.of("$function", "$accumulator")) {
      operators.custom(
          script,
          (name, operand, parser) -> {
            throw new EngineException(
                ErrorCodes.BAD_VALUE,
                name + " is not supported: there is no server-side JavaScript");
          });
    }
  }

  /** Every field of a document, whether it is bytes or not. */
  static void each(BsonDocument document, BiConsumer<String, BsonValue> action) {
    if (document instanceof RawBsonDocument raw) {
      ElementCursor cursor = new ElementCursor(raw);
      while (cursor.next()) {
        action.accept(cursor.name(), cursor.value());
      }
    } else {
      document.forEach(action);
    }
  }

  private static BsonValue merge(@Nullable BsonValue[] arguments) {
    if (arguments.length == 1 && arguments[0] instanceof BsonArray array) {
      return merge(array.toArray(new BsonValue[0]));
    }
    BsonDocument merged = new BsonDocument();
    for (BsonValue argument : arguments) {
      if (argument == null || Values.isNullish(argument)) {
        continue;
      }
      if (!(argument instanceof BsonDocument document)) {
        throw new EngineException(
            40400,
            "$mergeObjects requires object inputs, but input "
                + Values.show(argument)
                + " is of type "
                + BsonTypes.nameOf(argument));
      }
      each(document, merged::put);
    }
    return merged;
  }

  private static Node getField(String operator, BsonValue operand, ExpressionParser parser) {
    BsonValue fieldSpec = operand;
    BsonValue inputSpec = new BsonString("$$CURRENT");
    if (operand.isDocument()
        && !operand.asDocument().isEmpty()
        && !operand.asDocument().getFirstKey().startsWith("$")) {
      BsonDocument arguments =
          parser.arguments(operator, operand, 3041701, 3041701, Set.of("field", "input"));
      BsonValue field = arguments.get("field");
      BsonValue input = arguments.get("input");
      if (field == null) {
        throw new EngineException(3041702, "$getField requires 'field' to be specified");
      }
      if (input == null) {
        throw new EngineException(3041703, "$getField requires 'input' to be specified");
      }
      fieldSpec = field;
      inputSpec = input;
    }
    Node name = parser.parse(fieldSpec);
    if (ExpressionParser.isLiteral(fieldSpec) && !(name.constant() instanceof BsonString)) {
      throw new EngineException(
          5654602,
          "$getField requires 'field' to evaluate to type String, but got "
              + BsonTypes.nameOf(name.constant()));
    }
    return CallNode.of(
        List.of(name, parser.parse(inputSpec)),
        a -> {
          if (!(a[0] instanceof BsonString field)) {
            throw new EngineException(
                3041704,
                "$getField requires 'field' to evaluate to type String, but got "
                    + BsonTypes.nameOf(a[0]));
          }
          BsonValue input = a[1];
          if (input == null) {
            return null;
          }
          if (Values.isNullish(input)) {
            return BsonNull.VALUE;
          }
          return input instanceof BsonDocument document
              ? Values.field(document, field.getValue())
              : null;
        });
  }

  private static Node setField(String name, BsonValue operand, ExpressionParser parser) {
    boolean unset = name.equals("$unsetField");
    BsonDocument arguments =
        parser.arguments(
            name,
            operand,
            4161100,
            4161101,
            unset ? Set.of("field", "input") : Set.of("field", "input", "value"));
    Node field = parser.required(name, arguments, "field", 4161102);
    Node value =
        unset ? new Node.Constant(null) : parser.required(name, arguments, "value", 4161103);
    Node input = parser.required(name, arguments, "input", 4161109);
    if (field instanceof FieldNode) {
      throw new EngineException(
          4161108,
          "'"
              + arguments.getString("field").getValue()
              + "' is a field path reference which is not allowed in this context");
    }
    if (!ExpressionParser.isLiteral(java.util.Objects.requireNonNull(arguments.get("field")))) {
      throw new EngineException(
          4161106,
          name + " requires 'field' to evaluate to a constant, but got a non-constant argument");
    }
    if (!(field.constant() instanceof BsonString constant)) {
      throw new EngineException(
          4161107,
          name
              + " requires 'field' to evaluate to type String, but got "
              + BsonTypes.nameOf(field.constant()));
    }
    String target = constant.getValue();
    return CallNode.of(
        List.of(input, value),
        a -> {
          BsonValue document = a[0];
          if (document == null || Values.isNullish(document)) {
            return BsonNull.VALUE;
          }
          if (!(document instanceof BsonDocument given)) {
            throw new EngineException(
                4161105, name + " requires 'input' to evaluate to type Object");
          }
          return withField(given, target, a[1]);
        });
  }

  /** A document with another value of one field, or without it; every other field stays. */
  private static RawBsonDocument withField(
      BsonDocument document, String name, @Nullable BsonValue value) {
    DocumentWriter out = new DocumentWriter();
    boolean[] met = new boolean[1];
    each(
        document,
        (field, old) -> {
          BsonValue now = field.equals(name) ? value : old;
          met[0] |= field.equals(name);
          if (now != null) {
            out.value(field, now);
          }
        });
    if (!met[0] && value != null) {
      out.value(name, value);
    }
    return out.finish();
  }

  private static BsonValue bsonSize(@Nullable BsonValue value) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!(value instanceof BsonDocument document)) {
      throw new EngineException(
          31393, "$bsonSize requires a document input, found: " + BsonTypes.nameOf(value));
    }
    return new BsonInt32(RawBytes.length(RawBytes.raw(document)));
  }

  private static BsonValue binarySize(@Nullable BsonValue value) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (value instanceof BsonString string) {
      return new BsonInt32(string.getValue().getBytes(StandardCharsets.UTF_8).length);
    }
    if (value instanceof BsonBinary binary) {
      return new BsonInt32(binary.getData().length);
    }
    throw new EngineException(
        51276,
        "$binarySize requires a string or BinData argument, found: " + BsonTypes.nameOf(value));
  }

  private static Node rand(String name, BsonValue operand, ExpressionParser parser) {
    boolean nothing =
        operand.isDocument()
            ? operand.asDocument().isEmpty()
            : operand.isArray() && operand.asArray().isEmpty();
    if (!nothing) {
      throw new EngineException(3040501, "$rand does not currently accept arguments");
    }
    return new Node() {
      @Override
      BsonValue evaluate(Scope scope) {
        return new BsonDouble(parser.context().random().nextDouble());
      }

      @Override
      void eachField(Consumer<String> action) {}
    };
  }

  private static Node meta(String name, BsonValue operand, ExpressionParser parser) {
    if (!operand.isString()) {
      throw new EngineException(17307, "$meta only supports string arguments");
    }
    String kind = operand.asString().getValue();
    if (!Set.of(
            "textScore",
            "randVal",
            "searchScore",
            "searchHighlights",
            "geoNearDistance",
            "geoNearPoint",
            "recordId",
            "indexKey",
            "sortKey",
            "searchScoreDetails",
            "searchSequenceToken",
            "timeseriesBucketMinTime",
            "timeseriesBucketMaxTime",
            "vectorSearchScore",
            "score",
            "scoreDetails",
            "stream")
        .contains(kind)) {
      throw new EngineException(17308, "Unsupported argument to $meta: " + kind);
    }
    return new MetaNode(kind);
  }
}
