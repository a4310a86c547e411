// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Regex;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Why a value does not pass a {@code $jsonSchema}: every rule that it breaks, in the order in which
 * MongoDB's server tells them. Made for people to read when a document has been refused; nothing
 * here decides.
 */
final class SchemaFailure {
  private static final List<String> ANNOTATIONS = List.of("title", "description");

  private final OperationContext context;

  SchemaFailure(OperationContext context) {
    this.context = context;
  }

  /** Of a document and the schema of the whole. */
  BsonDocument of(BsonDocument schema, BsonDocument document) {
    BsonDocument failure = operator("$jsonSchema");
    for (String type : List.of("type", "bsonType")) {
      BsonValue given = schema.get(type);
      if (given != null && !passes(new BsonDocument(type, given), document)) {
        return failure
            .append("specifiedAs", new BsonDocument("$jsonSchema", schema))
            .append("reason", new BsonString("expression always evaluates to false"));
      }
    }
    annotate(failure, schema);
    return failure.append("schemaRulesNotSatisfied", new BsonArray(rules(schema, document)));
  }

  private boolean passes(BsonDocument schema, BsonValue value) {
    return JsonSchema.test(schema, context).passes(Slice.of(value));
  }

  /** Whether the schema, of these keywords alone, is broken. */
  private boolean breaks(BsonDocument schema, BsonValue value, String... keywords) {
    BsonDocument part = new BsonDocument();
    for (String keyword : keywords) {
      if (schema.containsKey(keyword)) {
        part.append(keyword, schema.get(keyword));
      }
    }
    return schema.containsKey(keywords[0]) && !passes(part, value);
  }

  private List<BsonDocument> rules(BsonDocument schema, BsonValue value) {
    List<BsonDocument> rules = new ArrayList<>();
    scalars(schema, value, rules);
    if (value.isArray()) {
      arrays(schema, value.asArray(), rules);
    }
    if (breaks(schema, value, "encrypt")) {
      boolean encrypted = passes(new BsonDocument("encrypt", new BsonDocument()), value);
      rules.add(
          reason(
              operator("encrypt"),
              encrypted ? "encrypted value has wrong type" : "value was not encrypted"));
    }
    if (value.isDocument()) {
      objects(schema, value.asDocument(), rules);
    }
    logical(schema, value, rules);
    for (String type : List.of("type", "bsonType")) {
      if (breaks(schema, value, type)) {
        rules.add(
            leaf(schema, value, "type did not match", type)
                .append("consideredType", new BsonString(BsonTypes.nameOf(value))));
      }
    }
    return rules;
  }

  private void scalars(BsonDocument schema, BsonValue value, List<BsonDocument> rules) {
    leafIfBroken(schema, value, "regular expression did not match", rules, "pattern");
    for (String length : List.of("maxLength", "minLength")) {
      leafIfBroken(schema, value, "specified string length was not satisfied", rules, length);
    }
    leafIfBroken(
        schema,
        value,
        "considered value is not a multiple of the specified value",
        rules,
        "multipleOf");
    leafIfBroken(schema, value, "comparison failed", rules, "maximum", "exclusiveMaximum");
    leafIfBroken(schema, value, "comparison failed", rules, "minimum", "exclusiveMinimum");
  }

  private void leafIfBroken(
      BsonDocument schema,
      BsonValue value,
      String reason,
      List<BsonDocument> rules,
      String... keywords) {
    if (breaks(schema, value, keywords)) {
      rules.add(leaf(schema, value, reason, keywords));
    }
  }

  private static BsonDocument leaf(
      BsonDocument schema, BsonValue value, String reason, String... keywords) {
    BsonDocument specified = new BsonDocument();
    for (String keyword : keywords) {
      if (schema.containsKey(keyword)) {
        specified.append(keyword, schema.get(keyword));
      }
    }
    return reason(operator(keywords[0]).append("specifiedAs", specified), reason)
        .append("consideredValue", value);
  }

  private void arrays(BsonDocument schema, BsonArray array, List<BsonDocument> rules) {
    for (String size : List.of("minItems", "maxItems")) {
      if (breaks(schema, array, size)) {
        rules.add(
            leaf(schema, array, "array did not match specified length", size)
                .append("numberOfItems", new BsonInt32(array.size())));
      }
    }
    if (breaks(schema, array, "uniqueItems")) {
      rules.add(
          leaf(schema, array, "found a duplicate item", "uniqueItems")
              .append("duplicatedValue", duplicate(array)));
    }
    BsonValue items = schema.get("items");
    if (items instanceof BsonDocument each) {
      items("items", "At least one item did not match the sub-schema", each, array, 0, rules);
    } else if (items instanceof BsonArray positions) {
      positions(positions, array, rules);
      BsonValue rest = schema.get("additionalItems");
      if (rest instanceof BsonDocument each) {
        items(
            "additionalItems",
            "At least one additional item did not match the sub-schema",
            each,
            array,
            positions.size(),
            rules);
      } else if (rest != null
          && breaks(schema, array, "items", "additionalItems")
          && !breaks(schema, array, "items")) {
        rules.add(additional(rest, positions.size(), array));
      }
    }
  }

  private static BsonDocument additional(BsonValue rest, int from, BsonArray array) {
    return reason(
            operator("additionalItems")
                .append("specifiedAs", new BsonDocument("additionalItems", rest)),
            "found additional items")
        .append("additionalItems", new BsonArray(array.subList(from, array.size())));
  }

  private static BsonValue duplicate(BsonArray array) {
    ValueSet seen = new ValueSet(BsonOrder.SIMPLE);
    for (BsonValue element : array) {
      if (!seen.add(SchemaEquality.sorted(element))) {
        return element;
      }
    }
    throw new IllegalArgumentException("every element differs from the others");
  }

  /** The first element from an index that does not pass. */
  private void items(
      String keyword,
      String reason,
      BsonDocument schema,
      BsonArray array,
      int from,
      List<BsonDocument> rules) {
    for (int i = from; i < array.size(); i++) {
      if (!passes(schema, array.get(i))) {
        BsonDocument failure = operator(keyword);
        annotate(failure, schema);
        rules.add(
            reason(failure, reason)
                .append("itemIndex", new BsonInt32(i))
                .append("details", new BsonArray(rules(schema, array.get(i)))));
        return;
      }
    }
  }

  private void positions(BsonArray schemas, BsonArray array, List<BsonDocument> rules) {
    List<BsonDocument> details = new ArrayList<>();
    for (int i = 0; i < Math.min(schemas.size(), array.size()); i++) {
      BsonDocument schema = schemas.get(i).asDocument();
      if (!passes(schema, array.get(i))) {
        details.add(
            new BsonDocument("itemIndex", new BsonInt32(i))
                .append("details", new BsonArray(rules(schema, array.get(i)))));
      }
    }
    addUnlessEmpty(operator("items"), "details", details, rules);
  }

  private void objects(BsonDocument schema, BsonDocument object, List<BsonDocument> rules) {
    BsonDocument properties = schema.getDocument("properties", new BsonDocument());
    List<BsonDocument> unsatisfied = new ArrayList<>();
    properties.forEach(
        (name, inner) -> {
          BsonValue value = at(object, name);
          if (value != null && !passes(inner.asDocument(), value)) {
            unsatisfied.add(property(name, inner.asDocument(), value));
          }
        });
    addUnlessEmpty(operator("properties"), "propertiesNotSatisfied", unsatisfied, rules);
    others(schema, object, properties, rules);
    required(schema, object, rules);
    for (String size : List.of("minProperties", "maxProperties")) {
      if (breaks(schema, object, size)) {
        rules.add(
            reason(
                    operator(size).append("specifiedAs", new BsonDocument(size, schema.get(size))),
                    "specified number of properties was not satisfied")
                .append("numberOfProperties", new BsonInt32(object.size())));
      }
    }
    dependencies(schema, object, rules);
  }

  /** The value of a property, or the first at a dotted one; null when there is none. */
  private static @Nullable BsonValue at(BsonDocument object, String name) {
    if (name.indexOf('.') < 0) {
      return object.get(name);
    }
    List<BsonValue> values = Considered.at(name, object);
    return values.isEmpty() ? null : values.getFirst();
  }

  private BsonDocument property(String name, BsonDocument schema, BsonValue value) {
    BsonDocument failure = new BsonDocument("propertyName", new BsonString(name));
    annotate(failure, schema);
    return failure.append("details", new BsonArray(rules(schema, value)));
  }

  private void others(
      BsonDocument schema, BsonDocument object, BsonDocument properties, List<BsonDocument> rules) {
    BsonDocument patterns = schema.getDocument("patternProperties", new BsonDocument());
    Predicate<String> named =
        name ->
            properties.containsKey(name)
                || patterns.keySet().stream().anyMatch(pattern -> found(pattern, name));
    List<String> left = object.keySet().stream().filter(named.negate()).toList();
    BsonValue additional = schema.get("additionalProperties");
    if (additional instanceof BsonDocument inner) {
      left.stream()
          .filter(name -> !passes(inner, Objects.requireNonNull(object.get(name))))
          .findFirst()
          .ifPresent(
              name -> {
                BsonDocument failure = operator("additionalProperties");
                annotate(failure, inner);
                rules.add(
                    reason(failure, "at least one additional property did not match the subschema")
                        .append("failingProperty", new BsonString(name))
                        .append(
                            "details",
                            new BsonArray(rules(inner, Objects.requireNonNull(object.get(name))))));
              });
    } else if (additional != null && !additional.asBoolean().getValue() && !left.isEmpty()) {
      rules.add(
          operator("additionalProperties")
              .append("specifiedAs", new BsonDocument("additionalProperties", additional))
              .append("additionalProperties", strings(left)));
    }
    List<BsonDocument> details = new ArrayList<>();
    patterns.forEach((pattern, inner) -> pattern(pattern, inner.asDocument(), object, details));
    addUnlessEmpty(operator("patternProperties"), "details", details, rules);
  }

  private void pattern(
      String pattern, BsonDocument schema, BsonDocument object, List<BsonDocument> details) {
    for (Map.Entry<String, BsonValue> field : object.entrySet()) {
      if (found(pattern, field.getKey()) && !passes(schema, field.getValue())) {
        BsonDocument failure = new BsonDocument("propertyName", new BsonString(field.getKey()));
        annotate(failure, schema);
        details.add(
            failure
                .append("regexMatched", new BsonString(pattern))
                .append("details", new BsonArray(rules(schema, field.getValue()))));
        return;
      }
    }
  }

  private boolean found(String pattern, String name) {
    return Regex.compile(pattern, "").found(name, context.interrupt());
  }

  private static void required(BsonDocument schema, BsonDocument object, List<BsonDocument> rules) {
    if (!schema.containsKey("required")) {
      return;
    }
    List<String> missing = missing(schema.getArray("required"), object);
    if (!missing.isEmpty()) {
      rules.add(
          operator("required")
              .append("specifiedAs", new BsonDocument("required", schema.get("required")))
              .append("missingProperties", strings(missing)));
    }
  }

  private static List<String> missing(BsonArray wanted, BsonDocument object) {
    TreeSet<String> missing = new TreeSet<>(BsonOrder::plain);
    for (BsonValue name : wanted) {
      if (at(object, name.asString().getValue()) == null) {
        missing.add(name.asString().getValue());
      }
    }
    return List.copyOf(missing);
  }

  private void dependencies(BsonDocument schema, BsonDocument object, List<BsonDocument> rules) {
    List<BsonDocument> failing = new ArrayList<>();
    schema
        .getDocument("dependencies", new BsonDocument())
        .forEach(
            (name, needed) -> {
              BsonDocument failure = new BsonDocument("conditionalProperty", new BsonString(name));
              if (at(object, name) == null) {
                return;
              }
              if (needed.isArray()) {
                List<String> missing = missing(needed.asArray(), object);
                if (!missing.isEmpty()) {
                  failing.add(failure.append("missingProperties", strings(missing)));
                }
              } else if (!passes(needed.asDocument(), object)) {
                failing.add(
                    failure.append("details", new BsonArray(rules(needed.asDocument(), object))));
              }
            });
    addUnlessEmpty(operator("dependencies"), "failingDependencies", failing, rules);
  }

  private void logical(BsonDocument schema, BsonValue value, List<BsonDocument> rules) {
    for (String keyword : List.of("allOf", "anyOf", "oneOf")) {
      if (breaks(schema, value, keyword)) {
        rules.add(combined(keyword, schema.getArray(keyword), value));
      }
    }
    if (breaks(schema, value, "not")) {
      rules.add(reason(operator("not"), "child expression matched"));
    }
    leafIfBroken(schema, value, "value was not found in enum", rules, "enum");
  }

  private BsonDocument combined(String keyword, BsonArray schemas, BsonValue value) {
    BsonArray passed = new BsonArray();
    BsonArray failed = new BsonArray();
    for (int i = 0; i < schemas.size(); i++) {
      BsonDocument schema = schemas.get(i).asDocument();
      if (passes(schema, value)) {
        passed.add(new BsonInt32(i));
      } else {
        BsonDocument failure = new BsonDocument("index", new BsonInt32(i));
        annotate(failure, schema);
        failed.add(failure.append("details", new BsonArray(rules(schema, value))));
      }
    }
    return keyword.equals("oneOf") && !passed.isEmpty()
        ? reason(operator(keyword), "more than one subschema matched")
            .append("matchingSchemaIndexes", passed)
        : operator(keyword).append("schemasNotSatisfied", failed);
  }

  private static void addUnlessEmpty(
      BsonDocument failure, String name, List<BsonDocument> details, List<BsonDocument> rules) {
    if (!details.isEmpty()) {
      rules.add(failure.append(name, new BsonArray(details)));
    }
  }

  private static void annotate(BsonDocument failure, BsonDocument schema) {
    for (String annotation : ANNOTATIONS) {
      if (schema.containsKey(annotation)) {
        failure.append(annotation, schema.get(annotation));
      }
    }
  }

  private static BsonDocument operator(String name) {
    return new BsonDocument("operatorName", new BsonString(name));
  }

  private static BsonDocument reason(BsonDocument failure, String reason) {
    return failure.append("reason", new BsonString(reason));
  }

  private static BsonArray strings(List<String> texts) {
    return new BsonArray(texts.stream().map(BsonString::new).toList());
  }
}
