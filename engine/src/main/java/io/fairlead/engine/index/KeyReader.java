// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import static io.fairlead.engine.key.BsonBytes.ARRAY;
import static io.fairlead.engine.key.BsonBytes.DOCUMENT;
import static io.fairlead.engine.key.BsonBytes.after;
import static io.fairlead.engine.key.BsonBytes.find;
import static io.fairlead.engine.key.BsonBytes.firstElement;
import static io.fairlead.engine.key.BsonBytes.type;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.value.StringOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys that a document has under a pattern, in place.
 *
 * <p>A path that meets an array is read once for each element, so one document may have many keys.
 * Fields that go through the same array are read together, element by element; fields that go
 * through different arrays have no keys at all and are refused (171), since their number would be
 * the product. A missing field is read as null; an empty array as undefined.
 *
 * <p>The same keys order a sort: ascending by the least key of a document, with descending fields
 * turned over, which is MongoDB's rule for arrays.
 *
 * <p>Reusable; used by one thread.
 */
public final class KeyReader implements IndexKeys {
  /** Told of each key, with where its values lie. */
  private interface Sink {
    void key(int[] types, int[] places, byte[] bytes);
  }

  /** Where a path goes on within a document; -1: the field's value is known. */
  private static final int KNOWN = -1;

  /** From this bit on: whether a field had a value that does not come back out of its key. */
  private static final int OPAQUE = 32;

  private static final int MISSING = 0;
  private static final int NO_DOCUMENT = -1;

  private final KeyPattern pattern;
  private final List<KeyPattern.Field> fields;

  /** The only field where its path is a single name, as in most indexes; else null. */
  private final byte @Nullable [] onlyName;

  private final boolean skipMissing;
  private final boolean collated;
  private final KeyWriter writer;

  private byte[] bytes = new byte[0];
  private final List<byte[]> keys = new ArrayList<>(2);
  private long multikey;

  /**
   * @param skipMissing whether a key all of whose fields are missing is left out: a sparse index
   * @param strings a collation, or null
   */
  public KeyReader(KeyPattern pattern, boolean skipMissing, @Nullable StringOrder strings) {
    this.pattern = pattern;
    this.fields = pattern.fields();
    byte[][] first = fields.getFirst().parts;
    this.onlyName = fields.size() == 1 && first.length == 1 ? first[0] : null;
    this.skipMissing = skipMissing;
    this.collated = strings != null;
    this.writer = new KeyWriter(strings);
  }

  /**
   * The document's keys, ascending, each once. The list is only good until the next call.
   *
   * @throws EngineException 171 for parallel arrays
   */
  @Override
  public List<byte[]> keys(byte[] document) {
    collect(document);
    if (keys.size() > 1) {
      keys.sort(Arrays::compareUnsigned);
      removeRepeated();
    }
    return keys;
  }

  private void collect(byte[] document) {
    keys.clear();
    if (onlyName == null || !addOnly(document, onlyName)) {
      read(document, this::add);
    }
  }

  /** Adds the key of a field that is no array; false, and nothing is added, where it is one. */
  private boolean addOnly(byte[] document, byte[] name) {
    int element = find(document, 0, name);
    int type = element < 0 ? MISSING : type(document, element);
    if (type == ARRAY) {
      return false;
    }
    multikey = 0;
    if (type != MISSING || !skipMissing) {
      writer.clear();
      write(0, type, element < 0 ? 0 : BsonBytes.value(document, element), document);
      keys.add(writer.toBytes());
    }
    return true;
  }

  /** The least of the document's keys: its place in a sort. */
  public byte[] least(byte[] document) {
    collect(document);
    return keys.size() == 1
        ? keys.getFirst()
        : keys.stream().min(Arrays::compareUnsigned).orElseThrow();
  }

  /** Bit {@code i}: field {@code i} went through an array; bit {@code 32 + i}: see there. */
  @Override
  public long multikey() {
    return multikey;
  }

  /**
   * The values of the document that make up {@code key}, as {@code {path: value, …}}: for messages.
   */
  @Override
  public BsonDocument values(byte[] document, byte[] key) {
    BsonDocument values = new BsonDocument();
    read(
        document,
        (types, places, source) -> {
          if (values.isEmpty() && Arrays.equals(encode(types, places, source), key)) {
            for (int i = 0; i < fields.size(); i++) {
              values.put(fields.get(i).path(), decode(types[i], places[i], source));
            }
          }
        });
    return values;
  }

  private static BsonValue decode(int type, int place, byte[] source) {
    return switch (type) {
      case MISSING -> BsonNull.VALUE;
      case BsonBytes.UNDEFINED -> new BsonUndefined();
      default -> BsonBytes.decodeValue(type, source, place);
    };
  }

  private void add(int[] types, int[] places, byte[] source) {
    if (skipMissing && Arrays.stream(types).allMatch(type -> type == MISSING)) {
      return;
    }
    keys.add(encode(types, places, source));
  }

  private byte[] encode(int[] types, int[] places, byte[] source) {
    writer.clear();
    for (int i = 0; i < types.length; i++) {
      write(i, types[i], places[i], source);
    }
    return writer.toBytes();
  }

  private void write(int field, int type, int place, byte[] source) {
    int from = writer.size();
    switch (type) {
      case MISSING -> writer.missing();
      case BsonBytes.UNDEFINED -> writer.emptyArray();
      default -> writer.value(type, source, place);
    }
    if (!KeyValues.restores(type, source, place) || (collated && type == BsonBytes.STRING)) {
      multikey |= 1L << (field + OPAQUE);
    }
    if (fields.get(field).descending()) {
      writer.turnOver(from);
    }
  }

  private void read(byte[] document, Sink sink) {
    bytes = document;
    multikey = 0;
    descend(0, new int[fields.size()], new int[fields.size()], new int[fields.size()], sink);
    bytes = new byte[0];
  }

  /**
   * Reads on from the document at {@code document}.
   *
   * @param next for each field the part of its path to look up next, or {@link #KNOWN}
   */
  private void descend(int document, int[] next, int[] types, int[] places, Sink sink) {
    int array = -1;
    int arrayField = -1;
    boolean[] inArray = null;
    for (int i = 0; i < fields.size(); i++) {
      if (next[i] == KNOWN) {
        continue;
      }
      walk(i, document, next, types, places);
      if (next[i] == KNOWN) {
        continue;
      }
      // Stands before an array.
      if (inArray == null) {
        inArray = new boolean[fields.size()];
        array = places[i];
        arrayField = i;
      } else if (places[i] != array) {
        throw new EngineException(
            ErrorCodes.CANNOT_INDEX_PARALLEL_ARRAYS,
            "cannot index parallel arrays ["
                + lastName(i, next[i])
                + "] ["
                + lastName(arrayField, next[arrayField])
                + "]");
      }
      inArray[i] = true;
      multikey |= 1L << i;
    }
    if (inArray == null) {
      sink.key(types, places, bytes);
      return;
    }
    int element = firstElement(array);
    if (bytes[element] == 0) {
      element(BsonBytes.UNDEFINED, 0, next, types, places, inArray, sink);
      return;
    }
    while (bytes[element] != 0) {
      int type = type(bytes, element);
      int value = BsonBytes.value(bytes, element);
      element(type, value, next, types, places, inArray, sink);
      element = after(bytes, type, value);
    }
  }

  private void element(
      int type, int value, int[] next, int[] types, int[] places, boolean[] inArray, Sink sink) {
    int[] nextBelow = next.clone();
    int[] typesBelow = types.clone();
    int[] placesBelow = places.clone();
    for (int i = 0; i < fields.size(); i++) {
      if (inArray[i] && next[i] == fields.get(i).parts.length) {
        nextBelow[i] = KNOWN;
        typesBelow[i] = type;
        placesBelow[i] = value;
      }
    }
    descend(type == DOCUMENT ? value : NO_DOCUMENT, nextBelow, typesBelow, placesBelow, sink);
  }

  /**
   * Follows a path until its value is known, or it stands before an array that has to be read
   * element by element.
   */
  private void walk(int field, int document, int[] next, int[] types, int[] places) {
    byte[][] parts = fields.get(field).parts;
    int part = next[field];
    int at = document;
    while (true) {
      int element = at == NO_DOCUMENT ? -1 : find(bytes, at, parts[part]);
      part++;
      if (element < 0) {
        known(field, MISSING, 0, next, types, places);
        return;
      }
      int type = type(bytes, element);
      int value = BsonBytes.value(bytes, element);
      // A number in the path picks an element of an array.
      while (type == ARRAY && part < parts.length && isNumber(parts[part])) {
        int picked = find(bytes, value, parts[part]);
        if (picked < 0) {
          break;
        }
        checkUnambiguous(value, parts[part]);
        part++;
        type = type(bytes, picked);
        value = BsonBytes.value(bytes, picked);
      }
      if (type == ARRAY) {
        next[field] = part;
        places[field] = value;
        return;
      }
      if (part == parts.length) {
        known(field, type, value, next, types, places);
        return;
      }
      at = type == DOCUMENT ? value : NO_DOCUMENT;
    }
  }

  /** A number may pick an element of an array or a field of its documents, but not both. */
  private void checkUnambiguous(int array, byte[] number) {
    int element = firstElement(array);
    while (bytes[element] != 0) {
      int type = type(bytes, element);
      int value = BsonBytes.value(bytes, element);
      if (type == DOCUMENT && find(bytes, value, number) >= 0) {
        throw new EngineException(
            16746,
            "Ambiguous field name found in array (do not use numeric field names in embedded"
                + " elements in an array), field: '"
                + new String(number, java.nio.charset.StandardCharsets.UTF_8)
                + "'");
      }
      element = after(bytes, type, value);
    }
  }

  private static void known(int field, int type, int place, int[] next, int[] types, int[] places) {
    next[field] = KNOWN;
    types[field] = type;
    places[field] = place;
  }

  private static boolean isNumber(byte[] part) {
    for (byte digit : part) {
      if (digit < '0' || digit > '9') {
        return false;
      }
    }
    return part.length > 0;
  }

  private String lastName(int field, int next) {
    String[] names = pattern.fields().get(field).path().split("\\.", -1);
    return names[Math.max(0, Math.min(next, names.length) - 1)];
  }

  private void removeRepeated() {
    int kept = 1;
    for (int i = 1; i < keys.size(); i++) {
      if (!Arrays.equals(keys.get(i), keys.get(kept - 1))) {
        keys.set(kept++, keys.get(i));
      }
    }
    keys.subList(kept, keys.size()).clear();
  }
}
