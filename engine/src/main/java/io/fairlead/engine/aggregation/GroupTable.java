// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.accumulator.Accumulator;
import io.fairlead.engine.context.MemoryUse;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Groups by key: an open-addressing table whose keys are compared in place. */
final class GroupTable {
  /** One group: its key, and an accumulator per field. */
  static final class Entry {
    final Slice key;
    final Accumulator[] accumulators;
    private final int hash;

    Entry(Slice key, int hash, Accumulator[] accumulators) {
      this.key = key;
      this.hash = hash;
      this.accumulators = accumulators;
    }
  }

  private static final int ACCUMULATOR_BYTES = 48;

  private final BsonOrder order;
  private final List<AccumulatorSpec> fields;
  private final @Nullable String onlyKeyField;
  private final boolean keyed;
  private final MemoryUse memory;
  private final List<Entry> entries = new ArrayList<>();
  private @Nullable Entry[] slots = new @Nullable Entry[64];

  /**
   * Without groups.
   *
   * @param onlyKeyField the name of the field that a key stands for, or null when it is the whole
   *     key
   * @param memory what keys and groups take is added there
   */
  GroupTable(
      BsonOrder order,
      List<AccumulatorSpec> fields,
      @Nullable String onlyKeyField,
      MemoryUse memory) {
    this.onlyKeyField = onlyKeyField;
    this.keyed = fields.stream().anyMatch(AccumulatorSpec::isKeyed);
    this.memory = memory;
    this.order = order;
    this.fields = fields;
  }

  /** In the order of their first documents. */
  List<Entry> entries() {
    return entries;
  }

  /** The group of a key, made when it is new; {@code key} may be reused by the caller. */
  Entry of(Slice key) {
    int hash = order.hash(key);
    hash ^= hash >>> 15;
    hash *= 0x2c1b3c6d;
    hash ^= hash >>> 12;
    int mask = slots.length - 1;
    int slot = hash & mask;
    for (Entry entry = slots[slot]; entry != null; entry = slots[slot]) {
      if (entry.hash == hash && order.compare(entry.key, key) == 0) {
        return entry;
      }
      slot = (slot + 1) & mask;
    }
    Slice kept = key.detached();
    RawBsonDocument group = keyed ? document(kept) : HowMany.NO_KEY;
    Accumulator[] accumulators = new Accumulator[fields.size()];
    for (int i = 0; i < accumulators.length; i++) {
      accumulators[i] = fields.get(i).fresh(group);
    }
    memory.add(
        MemoryUse.ROW_BYTES + kept.bytes().length + (long) ACCUMULATOR_BYTES * accumulators.length);
    Entry entry = new Entry(kept, hash, accumulators);
    entries.add(entry);
    slots[slot] = entry;
    if (entries.size() * 2 > slots.length) {
      grow();
    }
    return entry;
  }

  /** A key as accumulators see it: a document, empty when the key is none. */
  private RawBsonDocument document(Slice key) {
    if (onlyKeyField != null) {
      DocumentWriter writer = new DocumentWriter();
      writer.value(onlyKeyField, key);
      return writer.finish();
    }
    return key.value() instanceof BsonDocument document ? RawBytes.raw(document) : HowMany.NO_KEY;
  }

  private void grow() {
    @Nullable Entry[] larger = new @Nullable Entry[slots.length * 2];
    int mask = larger.length - 1;
    for (Entry entry : entries) {
      int slot = entry.hash & mask;
      while (larger[slot] != null) {
        slot = (slot + 1) & mask;
      }
      larger[slot] = entry;
    }
    slots = larger;
  }
}
