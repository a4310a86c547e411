// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.storage.TreeEditor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next state of a collection: every record written is written in all indexes. A record
 * that is refused (a duplicate key, parallel arrays) leaves nothing behind, for all checks are made
 * before the first change. Used by one thread.
 */
public final class CollectionEditor {
  private final WriteGuard guard;

  /** The records written so far, where they are to be remembered. */
  private final @Nullable Set<byte[]> written;

  private final CollectionState began;
  private CollectionState base;
  private TreeEditor<byte[]> records;

  /** As the base's indexes are; null where nothing was touched yet. */
  private @Nullable IndexEditor[] indexes;

  private long documentBytes;
  private boolean changed;

  public CollectionEditor(CollectionState base, WriteGuard guard) {
    this(base, guard, false);
  }

  /**
   * @param tracksRecords whether {@link #written()} is wanted
   */
  public CollectionEditor(CollectionState base, WriteGuard guard, boolean tracksRecords) {
    this.began = base;
    this.base = base;
    this.guard = guard;
    this.written = tracksRecords ? new TreeSet<>(Arrays::compareUnsigned) : null;
    this.records = base.records().edit();
    this.documentBytes = base.documentBytes();
    this.indexes = new IndexEditor[base.indexes().size()];
  }

  /** The state that the editing began with. */
  public CollectionState began() {
    return began;
  }

  /** The state as edited so far; later edits do not show in it. */
  public CollectionState state() {
    if (changed) {
      IndexState[] states = new IndexState[indexes.length];
      for (int i = 0; i < states.length; i++) {
        IndexEditor index = indexes[i];
        states[i] = index == null ? base.indexes().get(i) : index.state();
      }
      base =
          new CollectionState(
              base.namespace(),
              base.uuid(),
              base.options(),
              base.rules(),
              records.tree(),
              List.of(states),
              documentBytes,
              base.recordNumbers());
      changed = false;
    }
    return base;
  }

  /**
   * What the collection is: its name, options and rules. Its content here may be older than what
   * was edited; asking costs nothing, while every {@link #state()} lets the next edit copy nodes
   * again.
   */
  public CollectionState described() {
    return base;
  }

  /** The ids of the records that were written, ascending; empty when they are not remembered. */
  public List<byte[]> written() {
    return written == null ? List.of() : List.copyOf(written);
  }

  /**
   * Goes on from another state of the same collection: one whose options or indexes were changed.
   */
  public void restart(CollectionState state) {
    base = state;
    records = state.records().edit();
    documentBytes = state.documentBytes();
    indexes = new IndexEditor[state.indexes().size()];
    changed = false;
  }

  /**
   * Adds a document under a new record id.
   *
   * @return the record's id
   * @throws EngineException 11000, 171, 112
   */
  public byte[] insert(byte[] document) {
    String field = base.options().recordKeyField();
    byte[] record =
        field == null
            ? RecordIds.key(base.recordNumbers().incrementAndGet())
            : recordKey(document, field);
    insert(record, document);
    return record;
  }

  /** Adds a document under a record id that was given out before. */
  public void insert(byte[] record, byte[] document) {
    if (base.options().recordKeyField() != null) {
      guard.record(base.uuid(), record);
      if (records.get(record) != null) {
        throw DuplicateKey.ofRecord(base, document);
      }
    }
    for (int i = 0; i < indexes.length; i++) {
      IndexEditor index = index(i);
      index.adding = keysOf(index, document);
      index.removing = List.of();
      checkUnique(index, record, document);
    }
    records.put(record, document);
    documentBytes += document.length;
    changed = true;
    apply(record);
  }

  /** Puts another document in the place of one. */
  public void replace(byte[] record, byte[] before, byte[] after) {
    replace(record, before, after, null);
  }

  /**
   * Puts another document in the place of one.
   *
   * @param fields the only top-level fields in which they may differ; null when that may be any.
   *     Indexes on other fields stay as they are.
   */
  public void replace(byte[] record, byte[] before, byte[] after, @Nullable Set<String> fields) {
    guard.record(base.uuid(), record);
    String field = base.options().recordKeyField();
    if (field != null && !Arrays.equals(record, recordKey(after, field))) {
      throw new EngineException(
          BAD_VALUE, "the field '" + field + "' orders the records and cannot be changed");
    }
    for (int i = 0; i < indexes.length; i++) {
      IndexDefinition definition = base.indexes().get(i).definition();
      if (fields != null && definition.isUntouchedBy(fields)) {
        IndexEditor touched = indexes[i];
        if (touched != null) {
          touched.passOver();
        }
        continue;
      }
      IndexEditor index = index(i);
      List<byte[]> old = keysOf(index, before);
      List<byte[]> now = keysOf(index, after);
      if (same(old, now)) {
        index.keep();
      } else if (old.size() == 1 && now.size() == 1) {
        index.adding = now;
        index.removing = old;
      } else {
        index.adding = without(now, old);
        index.removing = without(old, now);
      }
      checkUnique(index, record, after);
    }
    records.put(record, after);
    documentBytes += after.length - before.length;
    changed = true;
    apply(record);
  }

  /** Takes a document out. */
  public void delete(byte[] record, byte[] document) {
    guard.record(base.uuid(), record);
    for (int i = 0; i < indexes.length; i++) {
      IndexEditor index = index(i);
      index.removing = List.copyOf(index.keys(document));
      index.adding = List.of();
      index.newMultikey = 0;
    }
    records.remove(record);
    documentBytes -= document.length;
    changed = true;
    apply(record);
  }

  /** Whether it has no documents of its own. */
  public boolean isView() {
    return base.isView();
  }

  /** What the collection's options ask of its documents. */
  public CollectionRules rules() {
    return base.rules();
  }

  /** How many documents there are. */
  public int size() {
    return records.size();
  }

  /** A position among the records; not to be used after the next change. */
  public TreeCursor<byte[]> records() {
    return records.cursor();
  }

  /** The document of that record, or null. */
  public byte @Nullable [] document(byte[] record) {
    return records.get(record);
  }

  /** The id of the record that has the document's {@code _id}, or null. */
  public byte @Nullable [] recordOfId(byte[] document) {
    if (base.options().recordKeyField() != null) {
      byte[] record = recordKey(document, base.options().recordKeyField());
      return records.get(record) == null ? null : record;
    }
    IndexEditor index = index(0);
    byte[] entry = entryOfId(index, document);
    return entry == null
        ? null
        : Arrays.copyOfRange(entry, RecordIds.start(entry), RecordIds.end(entry));
  }

  private IndexEditor index(int at) {
    IndexEditor index = indexes[at];
    if (index == null) {
      index = new IndexEditor(base.indexes().get(at));
      indexes[at] = index;
    }
    return index;
  }

  private static byte @Nullable [] entryOfId(IndexEditor index, byte[] document) {
    byte[] key = index.reader().keys(document).getFirst();
    return CollectionState.entry(index.entries.ceiling(key), key);
  }

  /**
   * Builds an index over all documents, in one sorted pass.
   *
   * @throws EngineException 11000, 171
   */
  public static IndexState build(CollectionState collection, IndexDefinition definition) {
    IndexEditor index = new IndexEditor(IndexState.empty(definition));
    List<byte[]> entries = new ArrayList<>(collection.records().size());
    TreeCursor<byte[]> cursor = collection.records().cursor();
    for (boolean more = cursor.first(); more; more = cursor.next()) {
      for (byte[] key : index.keys(cursor.value())) {
        entries.add(entry(collection, key, cursor.key()));
      }
      index.multikey |= index.newMultikey;
    }
    entries.sort(Arrays::compareUnsigned);
    byte[] previous = null;
    for (byte[] entry : entries) {
      if (definition.holdsUnique() && previous != null) {
        int length = RecordIds.start(previous);
        if (length == RecordIds.start(entry)
            && Arrays.equals(previous, 0, length, entry, 0, length)) {
          throw DuplicateKey.in(
              collection, definition, Arrays.copyOf(entry, length), collection.document(entry));
        }
      }
      index.entries.add(entry);
      index.keyBytes += entry.length;
      previous = entry;
    }
    return index.state();
  }

  /** A record that was written: null is no document. */
  @SuppressWarnings("ArrayRecordComponent") // never compared for equality
  record Changed(byte[] record, byte @Nullable [] before, byte @Nullable [] after) {}

  /**
   * An index of an earlier state, brought up to this one by the records that have changed since.
   *
   * @throws EngineException 11000, 171
   */
  static IndexState caughtUp(CollectionState now, IndexState built, List<Changed> changes) {
    IndexEditor index = new IndexEditor(built);
    // What is gone goes first, so that what came in its place meets no key that is free by now.
    for (Changed change : changes) {
      if (change.before != null) {
        for (byte[] key : List.copyOf(index.keys(change.before))) {
          byte[] entry = entry(now, key, change.record);
          index.entries.removeKey(entry);
          index.keyBytes -= entry.length;
        }
      }
    }
    for (Changed change : changes) {
      if (change.after != null) {
        for (byte[] key : List.copyOf(index.keys(change.after))) {
          byte[] taken = CollectionState.entry(index.entries.ceiling(key), key);
          if (index.definition.holdsUnique() && taken != null) {
            throw DuplicateKey.in(now, index.definition, key, change.after);
          }
          byte[] entry = entry(now, key, change.record);
          index.entries.add(entry);
          index.keyBytes += entry.length;
        }
        index.multikey |= index.newMultikey;
      }
    }
    return index.state();
  }

  private static List<byte[]> keysOf(IndexEditor index, byte[] document) {
    List<byte[]> keys = index.keys(document);
    return keys.size() == 1 ? List.of(keys.getFirst()) : List.copyOf(keys);
  }

  private void checkUnique(IndexEditor index, byte[] record, byte[] document) {
    if (!index.definition.unique()) {
      return;
    }
    for (byte[] key : index.adding) {
      guard.uniqueKey(base.uuid(), index.definition.name(), key);
      byte[] entry = CollectionState.entry(index.entries.ceiling(key), key);
      if (entry != null
          && !Arrays.equals(
              entry, RecordIds.start(entry), RecordIds.end(entry), record, 0, record.length)) {
        throw DuplicateKey.in(base, index.definition, key, document);
      }
    }
  }

  private void apply(byte[] record) {
    if (written != null) {
      written.add(record);
    }
    for (IndexEditor index : indexes) {
      if (index == null) {
        continue;
      }
      for (byte[] key : index.removing) {
        byte[] entry = entry(base, key, record);
        index.entries.removeKey(entry);
        index.keyBytes -= entry.length;
      }
      for (byte[] key : index.adding) {
        byte[] entry = entry(base, key, record);
        index.entries.add(entry);
        index.keyBytes += entry.length;
      }
      index.multikey |= index.newMultikey;
    }
  }

  private static byte[] entry(CollectionState collection, byte[] key, byte[] record) {
    return collection.options().recordKeyField() == null
        ? RecordIds.entry(key, record)
        : RecordIds.keyedEntry(key, record);
  }

  private static boolean same(List<byte[]> a, List<byte[]> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!Arrays.equals(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** What is in {@code keys} and not in {@code others}; both ascending. */
  private static List<byte[]> without(List<byte[]> keys, List<byte[]> others) {
    List<byte[]> rest = new ArrayList<>(keys.size());
    int at = 0;
    for (byte[] key : keys) {
      while (at < others.size() && Arrays.compareUnsigned(others.get(at), key) < 0) {
        at++;
      }
      if (at == others.size() || !Arrays.equals(others.get(at), key)) {
        rest.add(key);
      }
    }
    return rest;
  }

  private byte[] recordKey(byte[] document, String field) {
    int element = BsonBytes.find(document, 0, field.getBytes(StandardCharsets.UTF_8));
    if (element < 0) {
      throw new EngineException(
          BAD_VALUE, "a document of this collection must have the field '" + field + "'");
    }
    return new KeyWriter(base.rules().collation())
        .value(BsonBytes.type(document, element), document, BsonBytes.value(document, element))
        .toBytes();
  }
}
