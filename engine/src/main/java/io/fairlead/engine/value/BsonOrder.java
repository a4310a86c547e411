// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonDbPointer;
import org.bson.BsonDocument;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * MongoDB's total order of values across types: first by bracket ({@link BsonTypes#rank}), then
 * within it. Numbers of all four types compare by their exact value, documents element by element
 * (bracket, name, value), arrays element by element, binaries by length, subtype, bytes. Immutable.
 *
 * <p>Two forms of everything: over bytes in place, and over built values; both give the same
 * answers.
 */
public final class BsonOrder {
  /** The order without a collation: strings by their UTF-8 bytes. */
  public static final BsonOrder SIMPLE = new BsonOrder(null);

  private final @Nullable StringOrder strings;

  private BsonOrder(@Nullable StringOrder strings) {
    this.strings = strings;
  }

  /** The order in which strings are compared by a collation. */
  public static BsonOrder collated(StringOrder strings) {
    return new BsonOrder(strings);
  }

  /** The collation; null for plain comparison. */
  public @Nullable StringOrder strings() {
    return strings;
  }

  /**
   * Compares two values; null stands for a missing value, which sorts after MinKey and before null.
   *
   * @return negative, zero or positive
   */
  public int compare(@Nullable BsonValue a, @Nullable BsonValue b) {
    int typeA = BsonTypes.codeOf(a);
    int typeB = BsonTypes.codeOf(b);
    int rank = BsonTypes.rank(typeA);
    int difference = rank - BsonTypes.rank(typeB);
    if (difference != 0 || a == null || b == null) {
      return difference;
    }
    return switch (rank) {
      case BsonTypes.RANK_NUMBER -> Numbers.compare(a, b);
      case 15 -> compareText(text(a), text(b));
      case 20 -> compareDocuments(a.asDocument(), b.asDocument());
      case 25 -> compareArrays(a, b);
      case 30 -> compareBinary(a.asBinary(), b.asBinary());
      case 35 ->
          Arrays.compareUnsigned(
              a.asObjectId().getValue().toByteArray(), b.asObjectId().getValue().toByteArray());
      case 40 -> Boolean.compare(a.asBoolean().getValue(), b.asBoolean().getValue());
      case 45 -> Long.compare(a.asDateTime().getValue(), b.asDateTime().getValue());
      case 47 -> Long.compareUnsigned(a.asTimestamp().getValue(), b.asTimestamp().getValue());
      case 50 -> compareRegex(a.asRegularExpression(), b.asRegularExpression());
      case 55 -> comparePointers(a.asDBPointer(), b.asDBPointer());
      case 60 -> plain(a.asJavaScript().getCode(), b.asJavaScript().getCode());
      case 65 -> compareScoped(a.asJavaScriptWithScope(), b.asJavaScriptWithScope());
      default -> 0;
    };
  }

  private static String text(BsonValue value) {
    return value instanceof BsonString string ? string.getValue() : value.asSymbol().getSymbol();
  }

  private int compareText(String a, String b) {
    return strings == null ? plain(a, b) : strings.compare(a, b);
  }

  /**
   * By code points, which is the order of the UTF-8 bytes; {@code String.compareTo} puts surrogates
   * too low.
   */
  public static int plain(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean surrogateX = Character.isSurrogate(x);
        return surrogateX == Character.isSurrogate(y) ? x - y : surrogateX ? 1 : -1;
      }
    }
    return a.length() - b.length();
  }

  private int compareDocuments(BsonDocument a, BsonDocument b) {
    if (a instanceof RawBsonDocument x && b instanceof RawBsonDocument y) {
      return compareElements(
          RawBytes.bytes(x), RawBytes.offset(x), RawBytes.bytes(y), RawBytes.offset(y), true);
    }
    Iterator<Map.Entry<String, BsonValue>> left = a.entrySet().iterator();
    Iterator<Map.Entry<String, BsonValue>> right = b.entrySet().iterator();
    while (left.hasNext() && right.hasNext()) {
      Map.Entry<String, BsonValue> x = left.next();
      Map.Entry<String, BsonValue> y = right.next();
      int ranks =
          BsonTypes.rank(BsonTypes.codeOf(x.getValue()))
              - BsonTypes.rank(BsonTypes.codeOf(y.getValue()));
      if (ranks != 0) {
        return ranks;
      }
      int names = plain(x.getKey(), y.getKey());
      if (names != 0) {
        return names;
      }
      int values = compare(x.getValue(), y.getValue());
      if (values != 0) {
        return values;
      }
    }
    return Boolean.compare(left.hasNext(), right.hasNext());
  }

  private int compareArrays(BsonValue a, BsonValue b) {
    if (a instanceof RawArray x && b instanceof RawArray y) {
      return compareElements(x.bytes(), x.offset(), y.bytes(), y.offset(), false);
    }
    Iterator<BsonValue> left = a.asArray().iterator();
    Iterator<BsonValue> right = b.asArray().iterator();
    while (left.hasNext() && right.hasNext()) {
      int values = compare(left.next(), right.next());
      if (values != 0) {
        return values;
      }
    }
    return Boolean.compare(left.hasNext(), right.hasNext());
  }

  private static int compareBinary(BsonBinary a, BsonBinary b) {
    int lengths = Integer.compare(binaryLength(a), binaryLength(b));
    if (lengths != 0) {
      return lengths;
    }
    int subtypes = (a.getType() & 0xff) - (b.getType() & 0xff);
    return subtypes != 0 ? subtypes : Arrays.compareUnsigned(a.getData(), b.getData());
  }

  /** As it stands in the bytes, where the old subtype repeats its length inside. */
  private static int binaryLength(BsonBinary value) {
    return value.getData().length + (value.getType() == RawBytes.OLD_BINARY ? 4 : 0);
  }

  private static int compareRegex(BsonRegularExpression a, BsonRegularExpression b) {
    int patterns = plain(a.getPattern(), b.getPattern());
    return patterns != 0 ? patterns : plain(a.getOptions(), b.getOptions());
  }

  private static int comparePointers(BsonDbPointer a, BsonDbPointer b) {
    int lengths = Integer.compare(a.getNamespace().length(), b.getNamespace().length());
    if (lengths != 0) {
      return lengths;
    }
    int namespaces = plain(a.getNamespace(), b.getNamespace());
    return namespaces != 0
        ? namespaces
        : Arrays.compareUnsigned(a.getId().toByteArray(), b.getId().toByteArray());
  }

  private int compareScoped(BsonJavaScriptWithScope a, BsonJavaScriptWithScope b) {
    int codes = plain(a.getCode(), b.getCode());
    return codes != 0 ? codes : compareDocuments(a.getScope(), b.getScope());
  }

  /** Compares in place. */
  public int compare(Slice a, Slice b) {
    return compare(a.type(), a.bytes(), a.start(), b.type(), b.bytes(), b.start());
  }

  private int compare(int typeA, byte[] a, int atA, int typeB, byte[] b, int atB) {
    int rank = BsonTypes.rank(typeA);
    int difference = rank - BsonTypes.rank(typeB);
    if (difference != 0) {
      return difference;
    }
    return switch (rank) {
      case BsonTypes.RANK_NUMBER -> compareNumbers(typeA, a, atA, typeB, b, atB);
      case 15 -> compareStrings(a, atA, b, atB);
      case 20 -> compareElements(a, atA, b, atB, true);
      case 25 -> compareElements(a, atA, b, atB, false);
      case 30 -> compareBinary(a, atA, b, atB);
      case 35 -> Arrays.compareUnsigned(a, atA, atA + 12, b, atB, atB + 12);
      case 40 -> a[atA] - b[atB];
      case 45 -> Long.compare(RawBytes.int64(a, atA), RawBytes.int64(b, atB));
      case 47 -> Long.compareUnsigned(RawBytes.int64(a, atA), RawBytes.int64(b, atB));
      case 50, 55, 60, 65 -> compare(Values.read(typeA, a, atA), Values.read(typeB, b, atB));
      default -> 0;
    };
  }

  private static int compareNumbers(int typeA, byte[] a, int atA, int typeB, byte[] b, int atB) {
    if (typeA == BsonTypes.INT32 && typeB == BsonTypes.INT32) {
      return Integer.compare(RawBytes.int32(a, atA), RawBytes.int32(b, atB));
    }
    if (typeA == BsonTypes.DECIMAL128 || typeB == BsonTypes.DECIMAL128) {
      return Numbers.compare(Values.read(typeA, a, atA), Values.read(typeB, b, atB));
    }
    if (typeA == BsonTypes.DOUBLE) {
      double left = RawBytes.float64(a, atA);
      return typeB == BsonTypes.DOUBLE
          ? Numbers.compare(left, RawBytes.float64(b, atB))
          : -Numbers.compare(whole(typeB, b, atB), left);
    }
    long left = whole(typeA, a, atA);
    return typeB == BsonTypes.DOUBLE
        ? Numbers.compare(left, RawBytes.float64(b, atB))
        : Long.compare(left, whole(typeB, b, atB));
  }

  private static long whole(int type, byte[] bytes, int at) {
    return type == BsonTypes.INT32 ? RawBytes.int32(bytes, at) : RawBytes.int64(bytes, at);
  }

  private int compareStrings(byte[] a, int atA, byte[] b, int atB) {
    int endA = atA + 4 + RawBytes.int32(a, atA) - 1;
    int endB = atB + 4 + RawBytes.int32(b, atB) - 1;
    if (strings != null) {
      return strings.compare(RawBytes.text(a, atA + 4, endA), RawBytes.text(b, atB + 4, endB));
    }
    return Arrays.compareUnsigned(a, atA + 4, endA, b, atB + 4, endB);
  }

  private static int compareBinary(byte[] a, int atA, byte[] b, int atB) {
    int length = RawBytes.int32(a, atA);
    int lengths = Integer.compare(length, RawBytes.int32(b, atB));
    return lengths != 0
        ? lengths
        : Arrays.compareUnsigned(a, atA + 4, atA + 5 + length, b, atB + 4, atB + 5 + length);
  }

  private int compareElements(byte[] a, int atA, byte[] b, int atB, boolean names) {
    int endA = atA + RawBytes.int32(a, atA) - 1;
    int endB = atB + RawBytes.int32(b, atB) - 1;
    int x = atA + 4;
    int y = atB + 4;
    while (x < endA && y < endB) {
      int typeA = a[x];
      int typeB = b[y];
      int ranks = BsonTypes.rank(typeA) - BsonTypes.rank(typeB);
      if (ranks != 0) {
        return ranks;
      }
      int nameA = RawBytes.textEnd(a, x + 1);
      int nameB = RawBytes.textEnd(b, y + 1);
      if (names) {
        int order = Arrays.compareUnsigned(a, x + 1, nameA, b, y + 1, nameB);
        if (order != 0) {
          return order;
        }
      }
      int order = compare(typeA, a, nameA + 1, typeB, b, nameB + 1);
      if (order != 0) {
        return order;
      }
      x = nameA + 1 + RawBytes.valueLength(typeA, a, nameA + 1);
      y = nameB + 1 + RawBytes.valueLength(typeB, b, nameB + 1);
    }
    return Boolean.compare(x < endA, y < endB);
  }

  public boolean equal(@Nullable BsonValue a, @Nullable BsonValue b) {
    return compare(a, b) == 0;
  }

  /**
   * A hash that is equal for values that compare as equal; built values and bytes give the same.
   */
  public int hash(@Nullable BsonValue value) {
    if (value == null) {
      return 0;
    }
    return switch (value.getBsonType()) {
      case INT32, INT64, DOUBLE, DECIMAL128 -> Numbers.hash(value);
      case STRING, SYMBOL -> hashText(text(value));
      case DOCUMENT -> hashDocument(value.asDocument());
      case ARRAY -> {
        int hash = 25;
        for (BsonValue element : value.asArray()) {
          hash = hash * 31 + hash(element);
        }
        yield hash;
      }
      case BINARY -> Arrays.hashCode(value.asBinary().getData());
      case OBJECT_ID -> Arrays.hashCode(value.asObjectId().getValue().toByteArray());
      case BOOLEAN -> value.asBoolean().getValue() ? 1231 : 1237;
      case DATE_TIME -> 45 + Long.hashCode(value.asDateTime().getValue());
      case TIMESTAMP -> 47 + Long.hashCode(value.asTimestamp().getValue());
      case UNDEFINED -> 0;
      default -> BsonTypes.rank(BsonTypes.codeOf(value));
    };
  }

  private int hashText(String text) {
    return strings == null
        ? hashBytes(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
        : Arrays.hashCode(strings.sortKey(text));
  }

  private static int hashBytes(byte[] bytes) {
    return hashRange(bytes, 0, bytes.length);
  }

  private static int hashRange(byte[] bytes, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  private int hashDocument(BsonDocument document) {
    if (document instanceof RawBsonDocument raw) {
      return hash(BsonTypes.DOCUMENT, RawBytes.bytes(raw), RawBytes.offset(raw));
    }
    int hash = 20;
    for (Map.Entry<String, BsonValue> entry : document.entrySet()) {
      byte[] name = entry.getKey().getBytes(java.nio.charset.StandardCharsets.UTF_8);
      hash = (hash * 31 + hashBytes(name)) * 31 + hash(entry.getValue());
    }
    return hash;
  }

  /** The hash of a value in place: the same as that of the built value. */
  public int hash(Slice value) {
    return hash(value.type(), value.bytes(), value.start());
  }

  private int hash(int type, byte[] bytes, int at) {
    return switch (type) {
      case BsonTypes.MISSING, BsonTypes.UNDEFINED -> 0;
      case BsonTypes.INT32 -> Long.hashCode(RawBytes.int32(bytes, at));
      case BsonTypes.INT64 -> Long.hashCode(RawBytes.int64(bytes, at));
      case BsonTypes.DOUBLE -> Numbers.hash(RawBytes.float64(bytes, at));
      case BsonTypes.STRING, BsonTypes.SYMBOL -> {
        int end = at + 4 + RawBytes.int32(bytes, at) - 1;
        yield strings == null
            ? hashRange(bytes, at + 4, end)
            : Arrays.hashCode(strings.sortKey(RawBytes.text(bytes, at + 4, end)));
      }
      case BsonTypes.DOCUMENT, BsonTypes.ARRAY -> {
        int hash = BsonTypes.rank(type);
        ElementCursor cursor = new ElementCursor(bytes, at);
        while (cursor.next()) {
          if (type == BsonTypes.DOCUMENT) {
            hash = hash * 31 + hashRange(bytes, cursor.nameStart(), cursor.nameEnd());
          }
          hash = hash * 31 + hash(cursor.type(), bytes, cursor.valueStart());
        }
        yield hash;
      }
      case BsonTypes.OBJECT_ID -> hashRange(bytes, at, at + 12);
      default -> hash(Values.read(type, bytes, at));
    };
  }

  public Comparator<@Nullable BsonValue> comparator() {
    return this::compare;
  }
}
