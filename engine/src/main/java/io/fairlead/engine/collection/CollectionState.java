// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexRules;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.storage.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The whole content of a collection at one time. Immutable, but for the counter of record numbers,
 * which all states of one collection share: a number is never given twice, not even by two
 * transactions that do not see each other.
 *
 * @param rules what the options ask of documents
 * @param records the documents' bytes by record id
 * @param indexes the {@code _id} index first, where there is one
 * @param documentBytes the bytes of all documents together
 * @param recordNumbers the last number given
 */
public record CollectionState(
    Namespace namespace,
    UUID uuid,
    CollectionOptions options,
    CollectionRules rules,
    Tree<byte[]> records,
    List<IndexState> indexes,
    long documentBytes,
    AtomicLong recordNumbers) {
  public CollectionState {
    indexes = List.copyOf(indexes);
  }

  /**
   * A new collection: without documents, with an index on {@code _id} unless its records are
   * ordered by a field.
   */
  public static CollectionState create(Namespace namespace, UUID uuid, CollectionOptions options) {
    CollectionRules rules = CollectionRules.of(options);
    return new CollectionState(
        namespace,
        uuid,
        options,
        rules,
        Tree.empty(),
        options.recordKeyField() == null && rules.view() == null
            ? List.of(IndexState.empty(IndexRules.idIndex(rules.collation())))
            : List.of(),
        0,
        new AtomicLong());
  }

  public CollectionInfo info() {
    return new CollectionInfo(namespace, uuid, options.withUuid(uuid));
  }

  /** Whether it has no documents of its own. */
  public boolean isView() {
    return rules.view() != null;
  }

  /** The index of that name, or null. */
  public @Nullable IndexState index(String name) {
    for (IndexState index : indexes) {
      if (index.definition().name().equals(name)) {
        return index;
      }
    }
    return null;
  }

  public List<IndexDefinition> definitions() {
    List<IndexDefinition> definitions = new ArrayList<>(indexes.size());
    indexes.forEach(index -> definitions.add(index.definition()));
    return definitions;
  }

  public CollectionState withIndexes(List<IndexState> changed) {
    return new CollectionState(
        namespace, uuid, options, rules, records, changed, documentBytes, recordNumbers);
  }

  /** The use of its indexes is counted from then on. */
  public void beginCounting(Instant now) {
    indexes.forEach(index -> index.use().begin(now));
  }

  public CollectionState withOptions(CollectionOptions changed) {
    return new CollectionState(
        namespace,
        uuid,
        changed,
        CollectionRules.of(changed),
        records,
        indexes,
        documentBytes,
        recordNumbers);
  }

  public CollectionState renamed(Namespace name) {
    return new CollectionState(
        name, uuid, options, rules, records, indexes, documentBytes, recordNumbers);
  }

  /** The id of the record whose document has that {@code _id}, or null. */
  public byte @Nullable [] recordOfId(BsonValue id) {
    byte[] key = new KeyWriter(rules.collation()).value(id).toBytes();
    if (options.recordKeyField() != null) {
      return records.contains(key) ? key : null;
    }
    byte[] entry = entryOf(indexes.getFirst().entries(), key);
    return entry == null
        ? null
        : Arrays.copyOfRange(entry, RecordIds.start(entry), RecordIds.end(entry));
  }

  /** The document with that {@code _id}, or null. */
  public byte @Nullable [] documentOfId(BsonValue id) {
    byte[] key = new KeyWriter(rules.collation()).value(id).toBytes();
    if (options.recordKeyField() != null) {
      return records.get(key);
    }
    byte[] entry = entryOf(indexes.getFirst().entries(), key);
    return entry == null ? null : document(entry);
  }

  /** The document that an index entry leads to. */
  public byte[] document(byte[] entry) {
    return Objects.requireNonNull(
        records.get(entry, RecordIds.start(entry), RecordIds.end(entry)),
        "an index entry without a record");
  }

  /** The first entry of an index that begins with that whole key, or null. */
  public static byte @Nullable [] entryOf(Tree<Void> entries, byte[] key) {
    return entry(entries.ceiling(key), key);
  }

  /** The entry at or after a whole key, if it begins with it; else null. */
  static byte @Nullable [] entry(byte @Nullable [] ceiling, byte[] key) {
    // No whole key is the beginning of another, so a common beginning is equality.
    return ceiling != null
            && ceiling.length > key.length
            && Arrays.equals(ceiling, 0, key.length, key, 0, key.length)
        ? ceiling
        : null;
  }
}
