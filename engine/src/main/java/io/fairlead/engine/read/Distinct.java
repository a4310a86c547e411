// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import static io.fairlead.engine.key.BsonBytes.ARRAY;
import static io.fairlead.engine.key.BsonBytes.DOCUMENT;
import static io.fairlead.engine.key.BsonBytes.after;
import static io.fairlead.engine.key.BsonBytes.find;
import static io.fairlead.engine.key.BsonBytes.firstElement;
import static io.fairlead.engine.key.BsonBytes.type;

import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.value.StringOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Collects the different values at a path: of a value that is an array its elements, of an array on
 * the way those of every element. Values that compare as equal are one; the first is kept.
 */
final class Distinct {
  private final byte[][] parts;
  private final Map<RecordKey, BsonValue> values = new LinkedHashMap<>();
  private final KeyWriter writer;

  /** The keys of the values of the document that was added last. */
  private final List<byte[]> last = new ArrayList<>();

  /** Values at the path; strings are equal by the collation, null for their bytes. */
  Distinct(String path, @Nullable StringOrder strings) {
    writer = new KeyWriter(strings);
    parts =
        Arrays.stream(path.split("\\.", -1))
            .map(part -> part.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
  }

  void add(byte[] document) {
    last.clear();
    within(document, 0, 0);
  }

  /**
   * Adds the values of a document to which an entry of an index on the path leads.
   *
   * @return the beginning of the entry that is one of those values; null when it is none
   */
  byte @Nullable [] add(byte[] document, byte[] entry, boolean descending) {
    add(document);
    for (byte[] key : last) {
      if (begins(entry, key, descending ? 0xFF : 0)) {
        return Arrays.copyOf(entry, key.length);
      }
    }
    return null;
  }

  private static boolean begins(byte[] entry, byte[] key, int mask) {
    if (entry.length < key.length) {
      return false;
    }
    for (int i = 0; i < key.length; i++) {
      if (entry[i] != (byte) (key[i] ^ mask)) {
        return false;
      }
    }
    return true;
  }

  List<BsonValue> values() {
    return List.copyOf(values.values());
  }

  private void within(byte[] bytes, int document, int part) {
    int element = find(bytes, document, parts[part]);
    if (element >= 0) {
      value(bytes, type(bytes, element), BsonBytes.value(bytes, element), part + 1);
    }
  }

  private void value(byte[] bytes, int type, int value, int part) {
    boolean last = part == parts.length;
    if (type == ARRAY) {
      if (!last) {
        // A number in the path picks an element.
        within(bytes, value, part);
      }
      int element = firstElement(value);
      while (bytes[element] != 0) {
        int inner = type(bytes, element);
        int at = BsonBytes.value(bytes, element);
        if (last) {
          keep(bytes, inner, at);
        } else if (inner == DOCUMENT) {
          within(bytes, at, part);
        }
        element = after(bytes, inner, at);
      }
    } else if (last) {
      keep(bytes, type, value);
    } else if (type == DOCUMENT) {
      within(bytes, value, part);
    }
  }

  private void keep(byte[] bytes, int type, int value) {
    byte[] written = writer.clear().value(type, bytes, value).toBytes();
    last.add(written);
    RecordKey key = new RecordKey(written);
    if (!values.containsKey(key)) {
      values.put(key, BsonBytes.decodeValue(type, bytes, value));
    }
  }
}
