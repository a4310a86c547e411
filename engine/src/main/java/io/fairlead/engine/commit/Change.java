// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.commit;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** One thing that a commit changed. The changes of a commit, in order, are its whole effect. */
public sealed interface Change {
  /** Where it happened. */
  Namespace namespace();

  /** A statement number that belongs to no retryable write. */
  int NO_STATEMENT = -1;

  /**
   * A document came to be. {@code statement} is the retryable write's statement, or {@link
   * #NO_STATEMENT}.
   */
  record Inserted(Namespace namespace, UUID collection, RawBsonDocument document, int statement)
      implements Change {}

  /**
   * A document was changed.
   *
   * @param replacement whether it was replaced as a whole rather than modified by operators
   * @param images whether the collection keeps images of changed documents
   */
  record Updated(
      Namespace namespace,
      UUID collection,
      RawBsonDocument before,
      RawBsonDocument after,
      boolean replacement,
      boolean images,
      int statement)
      implements Change {}

  /**
   * A document ceased to be.
   *
   * @param images whether the collection keeps images of changed documents
   */
  record Deleted(
      Namespace namespace, UUID collection, RawBsonDocument before, boolean images, int statement)
      implements Change {}

  record CollectionCreated(Namespace namespace, UUID collection, CollectionOptions options)
      implements Change {}

  record CollectionDropped(Namespace namespace, UUID collection, long documents)
      implements Change {}

  /** {@code droppedTarget} is the collection that had the name before, or null. */
  record CollectionRenamed(
      Namespace namespace,
      Namespace to,
      UUID collection,
      @Nullable UUID droppedTarget,
      long droppedDocuments)
      implements Change {}

  /** {@code command} is the collMod command's fields that took effect. */
  record CollectionModified(Namespace namespace, UUID collection, BsonDocument command)
      implements Change {}

  /** {@code index} as listIndexes reports it. */
  record IndexCreated(Namespace namespace, UUID collection, BsonDocument index) implements Change {}

  record IndexDropped(Namespace namespace, UUID collection, BsonDocument index) implements Change {}

  /** After the drops of its collections; the collection part of the namespace is empty. */
  record DatabaseDropped(Namespace namespace) implements Change {}
}
