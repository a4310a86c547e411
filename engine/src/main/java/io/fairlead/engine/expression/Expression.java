// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.value.FieldPath;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** A compiled aggregation expression. Immutable; may be used by many threads. */
public final class Expression {
  private final Node node;
  private final int slots;

  Expression(Node node, int slots) {
    this.node = node;
    this.slots = slots;
  }

  /**
   * Compiles an expression; its variables are the system's and the context's {@code let}.
   *
   * @throws io.fairlead.engine.error.EngineException 168 for an unknown operator, 17276 for an
   *     undefined variable …
   */
  public static Expression compile(BsonValue spec, OperationContext context) {
    ExpressionParser parser = new ExpressionParser(context);
    Node node = parser.parse(spec);
    return new Expression(node, parser.slots());
  }

  /**
   * Checks the name of a variable that a user defines, as in {@code let}.
   *
   * @throws io.fairlead.engine.error.EngineException 9 for a bad name
   */
  public static void checkVariableName(String name) {
    ExpressionParser.checkVariableName(name);
  }

  /** The names of the system variables; {@code DESCEND KEEP PRUNE} are those of {@code $redact}. */
  public static Set<String> variableNames() {
    return Set.of(
        "$$CLUSTER_TIME",
        "$$CURRENT",
        "$$DESCEND",
        "$$KEEP",
        "$$NOW",
        "$$PRUNE",
        "$$REMOVE",
        "$$ROOT",
        "$$USER_ROLES");
  }

  /** The value for a document; null when it is missing. */
  public @Nullable BsonValue evaluate(RawBsonDocument root) {
    return node.evaluate(new Scope(root, root, slots));
  }

  /**
   * The value with fields read from {@code current}, a document within the root, as {@code $redact}
   * descends.
   */
  public @Nullable BsonValue evaluate(RawBsonDocument root, RawBsonDocument current) {
    return node.evaluate(new Scope(root, current, slots));
  }

  /** Whether it gives the same for every document. */
  public boolean isConstant() {
    return node.isConstant();
  }

  /**
   * The path when the expression is just {@code "$a.b"}: readers of bytes need no evaluation then.
   */
  public Optional<FieldPath> fieldPath() {
    return node instanceof FieldNode field ? Optional.of(field.path) : Optional.empty();
  }

  /**
   * Fields of the root that it reads, as dotted paths; the empty path stands for the whole
   * document.
   */
  public Set<String> fields() {
    Set<String> fields = new LinkedHashSet<>();
    node.eachField(fields::add);
    return fields;
  }
}
