// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collation;

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RawCollationKey;
import com.ibm.icu.text.RuleBasedCollator;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.StringOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * How strings compare under MongoDB's collation options, by ICU. Immutable; two are equal when
 * their {@linkplain #spec() options}, defaults filled in, are.
 *
 * <p>Many threads may use one: ICU's collators are not theirs to share, so each call borrows one of
 * a few.
 */
public final class Collation implements StringOrder {
  /** {@code {locale: "simple"}}: strings by their bytes. */
  public static final BsonDocument SIMPLE = new BsonDocument("locale", new BsonString("simple"));

  /** Collations met so far, by their options as they were given; emptied when there are many. */
  private static final Map<BsonDocument, Collation> KNOWN = new ConcurrentHashMap<>();

  private static final int KNOWN_MAX = 200;

  private final BsonDocument spec;
  private final RuleBasedCollator original;
  private final ConcurrentLinkedQueue<RuleBasedCollator> idle = new ConcurrentLinkedQueue<>();

  private Collation(CollationSpec options) {
    this.spec = options.document();
    this.original = options.collator();
  }

  /**
   * The order of values under a collation; {@code {locale: "simple"}} and an empty document are the
   * plain order.
   *
   * @throws io.fairlead.engine.error.EngineException 40414, 40415, 14 and 2 for a malformed
   *     collation or one whose options contradict each other, 161 for another version's
   */
  public static BsonOrder parse(BsonDocument given) {
    Collation collation = of(given);
    return collation == null ? BsonOrder.SIMPLE : BsonOrder.collated(collation);
  }

  /** As {@link #parse}; null for the plain order. */
  public static @Nullable Collation of(BsonDocument given) {
    if (given.isEmpty() || (given.size() == 1 && given.equals(SIMPLE))) {
      return null;
    }
    Collation known = KNOWN.get(given);
    if (known == null) {
      CollationSpec options = CollationSpec.parse(given);
      if (options == null) {
        return null;
      }
      known = new Collation(options);
      if (KNOWN.size() >= KNOWN_MAX) {
        KNOWN.clear();
      }
      KNOWN.put(given.clone(), known);
    }
    return known;
  }

  /** The options of an order, so that {@link #parse} gives it back. */
  public static BsonDocument specOf(BsonOrder order) {
    return order.strings() instanceof Collation collation ? collation.spec : SIMPLE;
  }

  /** All options with their defaults, as listCollections and listIndexes report them. */
  public BsonDocument spec() {
    return spec;
  }

  private RuleBasedCollator borrow() {
    RuleBasedCollator collator = idle.poll();
    return collator != null ? collator : original.cloneAsThawed();
  }

  @Override
  public int compare(String a, String b) {
    if (a.equals(b)) {
      return 0;
    }
    RuleBasedCollator collator = borrow();
    try {
      return collator.compare(a, b);
    } finally {
      idle.add(collator);
    }
  }

  /**
   * ICU's sort key, written as UTF-8 text of one character for each of its bytes, which keeps the
   * order: so a key can also stand where a string is wanted.
   */
  @Override
  public byte[] sortKey(String value) {
    return sortText(value).getBytes(StandardCharsets.UTF_8);
  }

  /** The {@link #sortKey} as text. */
  public String sortText(String value) {
    RuleBasedCollator collator = borrow();
    try {
      RawCollationKey key = collator.getRawCollationKey(value, null);
      // Its last byte is always zero.
      return new String(key.bytes, 0, key.size - 1, StandardCharsets.ISO_8859_1);
    } finally {
      idle.add(collator);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Collation that && spec.equals(that.spec);
  }

  @Override
  public int hashCode() {
    return spec.hashCode();
  }

  @Override
  public String toString() {
    return spec.toJson();
  }

  /** The strength as MongoDB counts it, 1 to 5. */
  static int strength(Collator collator) {
    return collator.getStrength() == Collator.IDENTICAL ? 5 : collator.getStrength() + 1;
  }
}
