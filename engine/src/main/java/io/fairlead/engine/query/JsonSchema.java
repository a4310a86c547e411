// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Regex;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** Parses {@code $jsonSchema} (JSON Schema draft 4 with {@code bsonType}) into tests of a value. */
final class JsonSchema {
  private static final Set<String> UNSUPPORTED =
      Set.of("$ref", "$schema", "default", "definitions", "format", "id");
  static final Set<Integer> NUMBERS =
      Set.of(BsonTypes.DOUBLE, BsonTypes.INT32, BsonTypes.INT64, BsonTypes.DECIMAL128);

  /** A test of a value that is there. */
  @FunctionalInterface
  interface Test {
    boolean passes(Slice value);
  }

  private final OperationContext context;

  private JsonSchema(OperationContext context) {
    this.context = context;
  }

  static Check parse(BsonValue operand, OperationContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(ErrorCodes.TYPE_MISMATCH, "$jsonSchema must be an object");
    }
    Test test = test(operand.asDocument(), context);
    return new Check.OnRoot(
        "$jsonSchema",
        (bytes, offset, evaluation) -> test.passes(new Slice(bytes, BsonTypes.DOCUMENT, offset)));
  }

  /** The test that a schema is. */
  static Test test(BsonDocument schema, OperationContext context) {
    return new JsonSchema(context).schema(schema);
  }

  private Test schema(BsonDocument schema) {
    requireOneType(schema);
    List<Test> tests = new ArrayList<>();
    for (Map.Entry<String, BsonValue> entry : schema.entrySet()) {
      keyword(entry.getKey(), entry.getValue(), schema, tests);
    }
    List<Test> all = List.copyOf(tests);
    return value -> {
      for (Test test : all) {
        if (!test.passes(value)) {
          return false;
        }
      }
      return true;
    };
  }

  /** {@code type}, {@code bsonType} and {@code encrypt} each say the type: one may be given. */
  private static void requireOneType(BsonDocument schema) {
    List<String> given =
        Stream.of("type", "bsonType", "encrypt").filter(schema::containsKey).toList();
    if (given.size() > 1) {
      throw failed(
          "Cannot specify both $jsonSchema keywords '"
              + given.get(0)
              + "' and '"
              + given.get(1)
              + "'");
    }
    if (schema.containsKey("encrypt") && schema.containsKey("encryptMetadata")) {
      throw failed("Cannot specify both $jsonSchema keywords 'encrypt' and 'encryptMetadata'");
    }
  }

  private void keyword(String name, BsonValue operand, BsonDocument schema, List<Test> tests) {
    switch (name) {
      case "title", "description" -> text(name, operand);
      case "bsonType", "type" -> tests.add(type(name, operand));
      case "enum" -> {
        BsonArray values = array(name, operand);
        if (values.isEmpty()) {
          throw failed("$jsonSchema keyword 'enum' cannot be an empty array");
        }
        tests.add(SchemaEquality.oneOf(values));
      }
      case "encrypt" -> tests.add(EncryptRules.encrypted(document(name, operand)));
      case "encryptMetadata" -> EncryptRules.requireMetadata(document(name, operand));
      case "required" -> tests.add(ObjectRules.required(names(name, operand)));
      case "properties" -> tests.add(ObjectRules.properties(schemas(name, operand)));
      case "patternProperties", "additionalProperties" -> tests.add(additional(schema));
      case "minProperties" -> tests.add(ObjectRules.size(size(name, operand), Long.MAX_VALUE));
      case "maxProperties" -> tests.add(ObjectRules.size(0, size(name, operand)));
      case "dependencies" -> tests.add(ObjectRules.dependencies(dependencies(operand)));
      case "minItems" -> tests.add(ArrayRules.size(size(name, operand), Long.MAX_VALUE));
      case "maxItems" -> tests.add(ArrayRules.size(0, size(name, operand)));
      case "uniqueItems" -> {
        if (flag(name, operand)) {
          tests.add(ArrayRules.unique());
        }
      }
      case "items" -> tests.add(items(operand, schema));
      case "additionalItems" -> {
        if (operand.isDocument()) {
          schema(operand.asDocument());
        } else if (!operand.isBoolean()) {
          throw mismatch(name, "an object or a boolean");
        }
      }
      case "minimum" ->
          tests.add(bound(number(name, operand), true, exclusive(schema, "exclusiveMinimum")));
      case "maximum" ->
          tests.add(bound(number(name, operand), false, exclusive(schema, "exclusiveMaximum")));
      case "exclusiveMinimum", "exclusiveMaximum" -> {
        if (!schema.containsKey(name.equals("exclusiveMinimum") ? "minimum" : "maximum")) {
          throw failed(
              "$jsonSchema keyword '"
                  + (name.equals("exclusiveMinimum") ? "minimum" : "maximum")
                  + "' must be a present if "
                  + name
                  + " is present");
        }
      }
      case "multipleOf" -> tests.add(multiple(number(name, operand)));
      case "minLength" -> tests.add(length(size(name, operand), Long.MAX_VALUE));
      case "maxLength" -> tests.add(length(0, size(name, operand)));
      case "pattern" -> {
        Regex regex = Regex.compile(text(name, operand), "");
        tests.add(
            value ->
                value.type() != BsonTypes.STRING
                    || regex.found(value.string(), context.interrupt()));
      }
      case "allOf" -> tests.add(combined(name, operand, (passed, total) -> passed == total));
      case "anyOf" -> tests.add(combined(name, operand, (passed, total) -> passed > 0));
      case "oneOf" -> tests.add(combined(name, operand, (passed, total) -> passed == 1));
      case "not" -> {
        Test negated = schema(document(name, operand));
        tests.add(value -> !negated.passes(value));
      }
      default -> {
        if (UNSUPPORTED.contains(name)) {
          throw failed("$jsonSchema keyword '" + name + "' is not currently supported");
        }
        throw failed("Unknown $jsonSchema keyword: " + name);
      }
    }
  }

  private interface Verdict {
    boolean of(int passed, int total);
  }

  private Test combined(String name, BsonValue operand, Verdict verdict) {
    List<Test> tests = new ArrayList<>();
    for (BsonValue each : array(name, operand)) {
      tests.add(schema(document(name, each)));
    }
    if (tests.isEmpty()) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "$jsonSchema keyword '" + name + "' must be a non-empty array");
    }
    return value ->
        verdict.of((int) tests.stream().filter(test -> test.passes(value)).count(), tests.size());
  }

  static EngineException failed(String message) {
    return new EngineException(ErrorCodes.FAILED_TO_PARSE, message);
  }

  static EngineException mismatch(String name, String what) {
    return new EngineException(
        ErrorCodes.TYPE_MISMATCH, "$jsonSchema keyword '" + name + "' must be " + what);
  }

  static String text(String name, BsonValue operand) {
    if (!operand.isString()) {
      throw mismatch(name, "a string");
    }
    return operand.asString().getValue();
  }

  private static boolean flag(String name, BsonValue operand) {
    if (!(operand instanceof BsonBoolean value)) {
      throw mismatch(name, "a boolean");
    }
    return value.getValue();
  }

  private static BsonArray array(String name, BsonValue operand) {
    if (!operand.isArray()) {
      throw mismatch(name, "an array, but found an element of type " + BsonTypes.nameOf(operand));
    }
    return operand.asArray();
  }

  static BsonDocument document(String name, BsonValue operand) {
    if (!operand.isDocument()) {
      throw mismatch(name, "an object");
    }
    return operand.asDocument();
  }

  private static BsonValue number(String name, BsonValue operand) {
    if (!operand.isNumber()) {
      throw mismatch(name, "a number");
    }
    return operand;
  }

  private static long size(String name, BsonValue operand) {
    if (!operand.isNumber() || !Numbers.isLong(operand) || Numbers.toLong(operand) < 0) {
      throw failed("Expected a non-negative number in: " + name + ": " + Values.show(operand));
    }
    return Numbers.toLong(operand);
  }

  private static Set<String> names(String name, BsonValue operand) {
    Set<String> names = new HashSet<>();
    for (BsonValue each : array(name, operand)) {
      if (!names.add(text(name, each))) {
        throw failed("$jsonSchema keyword '" + name + "' array cannot contain duplicate values");
      }
    }
    if (names.isEmpty()) {
      throw failed("$jsonSchema keyword '" + name + "' cannot be an empty array");
    }
    return names;
  }

  private Map<String, Test> schemas(String name, BsonValue operand) {
    Map<String, Test> schemas = new LinkedHashMap<>();
    document(name, operand)
        .forEach((field, inner) -> schemas.put(field, schema(document(name, inner))));
    return schemas;
  }

  private static Test type(String keyword, BsonValue operand) {
    Set<Integer> codes = types(keyword, operand);
    return value -> codes.contains(value.type());
  }

  /** The types that a keyword names: JSON's names for {@code type}, else BSON's. */
  static Set<Integer> types(String keyword, BsonValue operand) {
    if (!operand.isString() && !operand.isArray()) {
      throw mismatch(keyword, "either a string or an array of strings");
    }
    Set<Integer> codes = new HashSet<>();
    Set<String> seen = new HashSet<>();
    for (BsonValue each : operand.isArray() ? operand.asArray() : List.of(operand)) {
      String name = text(keyword, each);
      if (name.equals("integer")) {
        throw failed("$jsonSchema type 'integer' is not currently supported.");
      }
      if (!seen.add(name)) {
        throw failed("$jsonSchema keyword '" + keyword + "' has duplicate value: " + name);
      }
      if (name.equals("number")) {
        codes.addAll(NUMBERS);
      } else {
        codes.add(code(name, keyword.equals("type")));
      }
    }
    if (codes.isEmpty()) {
      throw failed("$jsonSchema keyword '" + keyword + "' must name at least one type");
    }
    return codes;
  }

  private static int code(String name, boolean json) {
    OptionalInt code = BsonTypes.codeOf(json && name.equals("boolean") ? "bool" : name);
    boolean known =
        code.isPresent()
            && (!json || Set.of("object", "array", "boolean", "string", "null").contains(name));
    if (!known) {
      throw new EngineException(ErrorCodes.BAD_VALUE, "Unknown type name alias: " + name);
    }
    return code.getAsInt();
  }

  private Test additional(BsonDocument schema) {
    Set<String> named =
        schema.containsKey("properties")
            ? document("properties", value(schema, "properties")).keySet()
            : Set.of();
    Map<Regex, Test> patterns = new LinkedHashMap<>();
    if (schema.containsKey("patternProperties")) {
      document("patternProperties", value(schema, "patternProperties"))
          .forEach(
              (pattern, inner) ->
                  patterns.put(
                      Regex.compile(pattern, ""), schema(document("patternProperties", inner))));
    }
    BsonValue others = schema.get("additionalProperties");
    Test otherwise = value -> true;
    if (others instanceof BsonBoolean allowed) {
      boolean passes = allowed.getValue();
      otherwise = value -> passes;
    } else if (others != null) {
      if (!others.isDocument()) {
        throw mismatch("additionalProperties", "an object or a boolean");
      }
      otherwise = schema(others.asDocument());
    }
    return ObjectRules.additional(named, patterns, otherwise, context.interrupt());
  }

  private static BsonValue value(BsonDocument schema, String name) {
    return Objects.requireNonNull(schema.get(name));
  }

  private Map<String, Test> dependencies(BsonValue operand) {
    Map<String, Test> dependencies = new LinkedHashMap<>();
    document("dependencies", operand)
        .forEach(
            (field, needed) ->
                dependencies.put(
                    field,
                    needed.isArray()
                        ? ObjectRules.required(names("dependencies", needed))
                        : schema(document("dependencies", needed))));
    return dependencies;
  }

  private Test items(BsonValue operand, BsonDocument schema) {
    if (operand.isDocument()) {
      return ArrayRules.items(List.of(), schema(operand.asDocument()));
    }
    List<Test> positions = new ArrayList<>();
    for (BsonValue each : array("items", operand)) {
      positions.add(schema(document("items", each)));
    }
    BsonValue rest = schema.get("additionalItems");
    Test otherwise = value -> true;
    if (rest instanceof BsonBoolean allowed) {
      boolean passes = allowed.getValue();
      otherwise = value -> passes;
    } else if (rest instanceof BsonDocument inner) {
      otherwise = schema(inner);
    }
    return ArrayRules.items(positions, otherwise);
  }

  private static boolean exclusive(BsonDocument schema, String keyword) {
    BsonValue flag = schema.get(keyword);
    return flag != null && flag(keyword, flag);
  }

  private static Test bound(BsonValue limit, boolean lower, boolean exclusive) {
    Predicate.Operator operator =
        lower
            ? exclusive ? Predicate.Operator.GT : Predicate.Operator.GTE
            : exclusive ? Predicate.Operator.LT : Predicate.Operator.LTE;
    ValueTest.Compare compare = ValueTest.Compare.of(operator, limit, BsonOrder.SIMPLE);
    return value ->
        !value.isNumber() || compare.test(value, new Evaluation(value.bytes(), value.start()));
  }

  /** Doubles count as the decimals of their first 15 digits: 0.3 is a multiple of 0.1. */
  private static Test multiple(BsonValue operand) {
    Decimal128 divisor = Numbers.roundedDecimal(operand);
    if (divisor.isNegative() || Numbers.isZero(divisor)) {
      throw failed("$jsonSchema keyword 'multipleOf' must have a positive value");
    }
    if (divisor.isNaN()) {
      return value -> !value.isNumber();
    }
    return value ->
        !value.isNumber()
            || isMultiple(Numbers.roundedDecimal(Objects.requireNonNull(value.value())), divisor);
  }

  private static boolean isMultiple(Decimal128 number, Decimal128 divisor) {
    if (number.isNaN() || number.isInfinite()) {
      return false;
    }
    return divisor.isInfinite()
        ? Numbers.isZero(number)
        : Numbers.exact(number).remainder(Numbers.exact(divisor)).signum() == 0;
  }

  private static Test length(long least, long most) {
    return value -> {
      if (value.type() != BsonTypes.STRING) {
        return true;
      }
      String text = value.string();
      int length = text.codePointCount(0, text.length());
      return length >= least && length <= most;
    };
  }
}
