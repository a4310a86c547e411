// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.projection;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.query.Matcher;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** A compiled projection of {@code find}. Immutable; may be used by many threads. */
public final class Projection {
  private static final Projection IDENTITY = new Projection(null);

  private final @Nullable Shape shape;

  private Projection(@Nullable Shape shape) {
    this.shape = shape;
  }

  /**
   * Compiles a projection; an empty one keeps everything.
   *
   * @param filter the find's filter, which the positional {@code $} needs
   * @throws io.fairlead.engine.error.EngineException 31253 and 31254 for mixing inclusion with
   *     exclusion, and others
   */
  public static Projection compile(BsonDocument spec, Matcher filter, OperationContext context) {
    return spec.isEmpty()
        ? IDENTITY
        : new Projection(ShapeParser.forFind(context, filter).parse(spec));
  }

  /** The one that keeps every document as it is. */
  public static Projection identity() {
    return IDENTITY;
  }

  /** The names of the operators that only a find's projection has, and of {@code $meta}. */
  public static Set<String> operatorNames() {
    return Set.of("$", "$elemMatch", "$meta", "$slice");
  }

  public RawBsonDocument apply(RawBsonDocument document) {
    return shape == null ? document : shape.apply(document);
  }

  /** Keeps every document as it is. */
  public boolean isIdentity() {
    return shape == null;
  }

  /**
   * The paths without which the result cannot be made; empty when the whole document is needed. For
   * covered queries.
   */
  public Optional<Set<String>> dependencies() {
    return shape == null ? Optional.empty() : shape.dependencies();
  }
}
