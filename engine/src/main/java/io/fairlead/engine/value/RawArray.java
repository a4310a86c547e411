// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import org.bson.BsonArray;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** An array that stays bytes until an element is asked for. Not to be changed. */
public final class RawArray extends BsonArray {
  private final transient byte[] bytes;
  private final int offset;
  private transient @Nullable List<BsonValue> elements;

  public RawArray(byte[] bytes, int offset) {
    super(List.of());
    this.bytes = bytes;
    this.offset = offset;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int offset() {
    return offset;
  }

  @Override
  public List<BsonValue> getValues() {
    List<BsonValue> read = elements;
    if (read == null) {
      read = new ArrayList<>();
      ElementCursor cursor = new ElementCursor(bytes, offset);
      while (cursor.next()) {
        read.add(cursor.value());
      }
      read = Collections.unmodifiableList(read);
      elements = read;
    }
    return read;
  }

  @Override
  public int size() {
    return getValues().size();
  }

  @Override
  public boolean isEmpty() {
    return RawBytes.int32(bytes, offset) <= 5;
  }

  @Override
  public BsonValue get(int index) {
    return getValues().get(index);
  }

  @Override
  public Iterator<BsonValue> iterator() {
    return getValues().iterator();
  }

  @Override
  public ListIterator<BsonValue> listIterator() {
    return getValues().listIterator();
  }

  @Override
  public ListIterator<BsonValue> listIterator(int index) {
    return getValues().listIterator(index);
  }

  @Override
  public List<BsonValue> subList(int from, int to) {
    return getValues().subList(from, to);
  }

  @Override
  public boolean contains(@Nullable Object value) {
    return getValues().contains(value);
  }

  @Override
  public boolean containsAll(Collection<?> values) {
    return getValues().containsAll(values);
  }

  @Override
  public int indexOf(@Nullable Object value) {
    return getValues().indexOf(value);
  }

  @Override
  public int lastIndexOf(@Nullable Object value) {
    return getValues().lastIndexOf(value);
  }

  @Override
  public Object[] toArray() {
    return getValues().toArray();
  }

  @Override
  public <T> T[] toArray(T[] into) {
    return getValues().toArray(into);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BsonArray array && getValues().equals(array.getValues());
  }

  @Override
  public int hashCode() {
    return getValues().hashCode();
  }

  @Override
  public String toString() {
    return "RawArray" + getValues();
  }

  @Override
  public BsonArray clone() {
    BsonArray copy = new BsonArray();
    for (BsonValue value : getValues()) {
      copy.add(
          value instanceof org.bson.BsonDocument document
              ? document.clone()
              : value instanceof BsonArray array ? array.clone() : value);
    }
    return copy;
  }
}
