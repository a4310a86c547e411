// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Turns expression documents into nodes; knows the variables in scope. */
final class ExpressionParser {
  private static final int DEPTH_MAX = 200;

  private final OperationContext context;
  private final Map<String, Integer> variables = new HashMap<>();
  private int slots;
  private int depth;

  ExpressionParser(OperationContext context) {
    this.context = context;
  }

  OperationContext context() {
    return context;
  }

  int slots() {
    return slots;
  }

  Node parse(BsonValue spec) {
    if (++depth > DEPTH_MAX) {
      throw new EngineException(ErrorCodes.OVERFLOW, "expression is nested too deeply");
    }
    try {
      return switch (spec.getBsonType()) {
        case STRING -> string(spec.asString());
        case ARRAY -> array(spec.asArray());
        case DOCUMENT -> document(spec.asDocument());
        default -> new Node.Constant(spec);
      };
    } finally {
      depth--;
    }
  }

  private Node string(BsonString spec) {
    String text = spec.getValue();
    if (text.startsWith("$$")) {
      return variable(text.substring(2));
    }
    if (text.equals("$")) {
      throw new EngineException(16872, "'$' by itself is not a valid FieldPath");
    }
    if (text.startsWith("$")) {
      return field(text.substring(1));
    }
    return new Node.Constant(spec);
  }

  private Node field(String dotted) {
    FieldPath path = FieldPath.validated(dotted);
    Integer current = variables.get("CURRENT");
    return current == null
        ? new FieldNode(path)
        : new FieldNode.Within(new FieldNode.Variable(current), path);
  }

  private Node variable(String text) {
    int dot = text.indexOf('.');
    String name = dot < 0 ? text : text.substring(0, dot);
    checkReadableName(name);
    Node base = base(name);
    if (dot < 0) {
      return base;
    }
    FieldPath path = FieldPath.validated(text.substring(dot + 1));
    return base instanceof FieldNode.Current
        ? new FieldNode(path)
        : new FieldNode.Within(base, path);
  }

  private Node base(String name) {
    Integer slot = variables.get(name);
    if (slot != null) {
      return new FieldNode.Variable(slot);
    }
    return switch (name) {
      case "ROOT" -> new FieldNode.Root();
      case "CURRENT" -> new FieldNode.Current();
      case "NOW" -> new Node.Constant(context.now());
      case "CLUSTER_TIME" -> {
        if (context.clusterTime() == null) {
          throw new EngineException(
              51144, "system variable CLUSTER_TIME is not available in standalone mode");
        }
        yield new Node.Constant(context.clusterTime());
      }
      case "REMOVE" -> new Node.Constant(null);
      case "USER_ROLES" -> {
        BsonValue roles = context.let().get(name);
        yield new Node.Constant(roles == null ? new BsonArray() : roles);
      }
      default -> {
        if (context.let().containsKey(name)) {
          yield new FieldNode.Let(context.let(), name);
        }
        throw new EngineException(17276, "Use of undefined variable: " + name);
      }
    };
  }

  private Node array(BsonArray spec) {
    List<Node> elements = new ArrayList<>(spec.size());
    for (BsonValue element : spec) {
      elements.add(parse(element));
    }
    DocumentNode.OfArray node = new DocumentNode.OfArray(elements);
    return elements.stream().allMatch(Node::isConstant) ? fold(node) : node;
  }

  private Node document(BsonDocument spec) {
    if (!spec.isEmpty() && spec.getFirstKey().startsWith("$")) {
      if (spec.size() != 1) {
        throw new EngineException(
            15983,
            "An object representing an expression must have exactly one field: "
                + Values.showDocument(spec));
      }
      String name = spec.getFirstKey();
      BsonValue operand = java.util.Objects.requireNonNull(spec.get(name));
      return operator(name, operand);
    }
    Map<String, Node> fields = new LinkedHashMap<>();
    boolean constant = true;
    for (Map.Entry<String, BsonValue> entry : spec.entrySet()) {
      FieldPath.checkName(entry.getKey());
      Node node = parse(entry.getValue());
      constant &= node.isConstant();
      fields.put(entry.getKey(), node);
    }
    DocumentNode node = new DocumentNode(fields);
    return constant ? fold(node) : node;
  }

  private static Node fold(Node node) {
    return new Node.Constant(node.evaluate(new Scope(EMPTY, EMPTY, 0)));
  }

  private static final org.bson.RawBsonDocument EMPTY =
      io.fairlead.engine.value.DocumentWriter.write(new BsonDocument());

  private Node operator(String name, BsonValue operand) {
    Operators.Factory factory = Operators.find(name);
    if (factory == null) {
      throw new EngineException(
          ErrorCodes.INVALID_PIPELINE_OPERATOR, "Unrecognized expression '" + name + "'");
    }
    return factory.parse(name, operand, this);
  }

  /** The operands: of an array its elements, else the one value. */
  List<Node> operands(BsonValue operand) {
    List<Node> nodes = new ArrayList<>();
    if (operand.isArray()) {
      operand.asArray().forEach(element -> nodes.add(parse(element)));
    } else {
      nodes.add(parse(operand));
    }
    return nodes;
  }

  /** Declares a variable, parses with it, and forgets it again. */
  <T> T with(String name, int slot, java.util.function.Supplier<T> body) {
    Integer before = variables.put(name, slot);
    try {
      return body.get();
    } finally {
      if (before == null) {
        variables.remove(name);
      } else {
        variables.put(name, before);
      }
    }
  }

  /** A fresh slot for a variable. */
  int slot() {
    return slots++;
  }

  /** Whether it is a value as it stands: no path, no operator, nothing to compute. */
  static boolean isLiteral(BsonValue spec) {
    return switch (spec.getBsonType()) {
      case STRING -> !spec.asString().getValue().startsWith("$");
      case ARRAY -> false;
      case DOCUMENT ->
          !spec.asDocument().isEmpty()
              && (spec.asDocument().getFirstKey().equals("$literal")
                  || spec.asDocument().getFirstKey().equals("$const"));
      default -> true;
    };
  }

  /** Checks the name of a variable that a user defines. */
  static void checkVariableName(String name) {
    checkReadableName(name);
    char first = name.charAt(0);
    if (!name.equals("CURRENT") && first >= 'A' && first <= 'Z') {
      throw badStart(name);
    }
  }

  private static EngineException badStart(String name) {
    return new EngineException(
        ErrorCodes.FAILED_TO_PARSE,
        "'" + name + "' starts with an invalid character for a user variable name");
  }

  /** Checks the name of a variable that is read, one of the system's or a user's. */
  private static void checkReadableName(String name) {
    if (name.isEmpty()) {
      throw new EngineException(ErrorCodes.FAILED_TO_PARSE, "empty variable names are not allowed");
    }
    char first = name.charAt(0);
    if (!(first >= 'a' && first <= 'z') && !(first >= 'A' && first <= 'Z') && first < 0x80) {
      throw badStart(name);
    }
    for (int i = 1; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!Character.isLetterOrDigit(c) && c != '_' && c < 0x80) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE,
            "'" + name + "' contains an invalid character for a variable name: '" + c + "'");
      }
    }
  }

  /** The named arguments of an operator that takes a document; refuses others. */
  BsonDocument arguments(
      String operator, BsonValue operand, int notDocument, int unknown, Set<String> known) {
    if (!operand.isDocument()) {
      throw new EngineException(notDocument, operator + " only supports an object as its argument");
    }
    for (String name : operand.asDocument().keySet()) {
      if (!known.contains(name)) {
        throw new EngineException(unknown, "Unrecognized argument to " + operator + ": " + name);
      }
    }
    return operand.asDocument();
  }

  /** A named argument; refused when it is missing. */
  Node required(String operator, BsonDocument arguments, String name, int code) {
    BsonValue value = arguments.get(name);
    if (value == null) {
      throw new EngineException(code, "Missing '" + name + "' parameter to " + operator);
    }
    return parse(value);
  }

  /** A named argument; missing when it is not given. */
  Node optional(BsonDocument arguments, String name, @Nullable BsonValue otherwise) {
    BsonValue value = arguments.get(name);
    return value == null ? new Node.Constant(otherwise) : parse(value);
  }
}
