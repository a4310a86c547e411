// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.projection;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.MetaDocument;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Values;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * What a pipeline's {@code $project}, {@code $addFields} and {@code $unset} make of each document.
 * Immutable.
 */
public final class Shape {
  private final ShapeNode node;
  private final ShapeNode.Mode mode;

  Shape(ShapeNode node, ShapeNode.Mode mode) {
    this.node = node;
    this.mode = mode;
  }

  /**
   * {@code $project}: inclusion or exclusion, with computed fields.
   *
   * @throws EngineException 51272 when empty, 31253 and 31254 for mixing, 31249 and 31250 for
   *     colliding paths
   */
  public static Shape project(BsonDocument spec, OperationContext context) {
    if (spec.isEmpty()) {
      throw new EngineException(51272, "projection specification must have at least one field");
    }
    return ShapeParser.forPipeline(context).parse(spec);
  }

  /** {@code $addFields} and {@code $set}. */
  public static Shape addFields(BsonDocument spec, OperationContext context) {
    if (spec.isEmpty()) {
      throw new EngineException(40177, "specification must have at least one field");
    }
    ShapeNode node = new ShapeNode(ShapeNode.Mode.ADD);
    addFields("", spec, node, context);
    return new Shape(node, ShapeNode.Mode.ADD);
  }

  private static void addFields(
      String prefix, BsonDocument spec, ShapeNode node, OperationContext context) {
    for (Map.Entry<String, BsonValue> entry : spec.entrySet()) {
      String dotted = prefix + entry.getKey();
      BsonValue value = entry.getValue();
      FieldPath path = FieldPath.validated(dotted);
      if (value.isDocument() && isNested(value.asDocument())) {
        addFields(dotted + ".", value.asDocument(), node, context);
      } else {
        node.put(
            path.parts(),
            0,
            new ShapeNode.Action.Compute(Expression.compile(value, context)),
            dotted);
      }
    }
  }

  /** Whether a document holds fields to add rather than an expression; refuses a mixture. */
  private static boolean isNested(BsonDocument spec) {
    for (String name : spec.keySet()) {
      if (name.startsWith("$") && spec.size() != 1) {
        throw new EngineException(
            40181,
            "an expression specification must contain exactly one field, the name of the"
                + " expression. Found "
                + spec.size()
                + " fields in "
                + Values.showDocument(spec));
      }
      if (name.indexOf('.') >= 0) {
        throw new EngineException(
            40183, "cannot use dotted field name '" + name + "' in a sub object");
      }
    }
    return !spec.isEmpty() && !spec.getFirstKey().startsWith("$");
  }

  /** {@code $unset}. */
  public static Shape exclude(List<String> paths) {
    ShapeNode node = new ShapeNode(ShapeNode.Mode.EXCLUDE);
    for (String dotted : paths) {
      node.put(FieldPath.validated(dotted).parts(), 0, new ShapeNode.Action.Drop(), dotted);
    }
    return new Shape(node, ShapeNode.Mode.EXCLUDE);
  }

  public RawBsonDocument apply(RawBsonDocument document) {
    DocumentWriter out = new DocumentWriter(RawBytes.length(document) + 32);
    node.write(
        RawBytes.bytes(document), RawBytes.offset(document), new ShapeNode.Shaping(document), out);
    return MetaDocument.madeOf(document, out.finish());
  }

  /** Whether only named fields are kept. */
  public boolean isInclusion() {
    return mode == ShapeNode.Mode.INCLUDE;
  }

  /** The paths without which the result cannot be made; empty when the whole document is needed. */
  public Optional<Set<String>> dependencies() {
    if (mode != ShapeNode.Mode.INCLUDE) {
      return Optional.empty();
    }
    Set<String> paths = new LinkedHashSet<>();
    node.dependencies("", paths);
    return paths.contains("") ? Optional.empty() : Optional.of(paths);
  }
}
