// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collation;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.StringOrder;
import io.fairlead.engine.value.Values;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A collation by MongoDB's options. Immutable.
 *
 * <p>Locales whose alphabet is the root's are supported: Latin letters with their accents, digits,
 * punctuation in CLDR's root order; other scripts by code point. Locales that sort otherwise
 * (Swedish, Spanish …) are refused by name.
 *
 * @param strength 1 base letters, 2 accents too, 3 case too, 4 punctuation that is shifted, 5 every
 *     code point
 * @param shifted whether white space and punctuation are ignored up to strength 3
 * @param onlySpaceShifted whether that holds for white space alone
 */
public record Collation(
    int strength,
    boolean caseLevel,
    boolean upperFirst,
    boolean numeric,
    boolean shifted,
    boolean onlySpaceShifted,
    boolean backwards)
    implements StringOrder {
  private static final Set<String> ROOT_LOCALES =
      Set.of(
          "en", "de", "fr", "it", "pt", "nl", "id", "ms", "sw", "xh", "zu", "ga", "lb", "eu", "rw",
          "so");
  private static final Set<String> OPTIONS =
      Set.of(
          "locale",
          "caseLevel",
          "caseFirst",
          "strength",
          "numericOrdering",
          "alternate",
          "maxVariable",
          "normalization",
          "backwards",
          "version");

  /**
   * The order of values under a collation; {@code {locale: "simple"}} and an empty document are the
   * plain order.
   *
   * @throws EngineException 40414, 40415, 14 and 2 for a malformed collation, 2 for a locale that
   *     is not supported
   */
  public static BsonOrder parse(BsonDocument spec) {
    if (spec.isEmpty()) {
      return BsonOrder.SIMPLE;
    }
    for (String name : spec.keySet()) {
      if (!OPTIONS.contains(name)) {
        throw new EngineException(
            40415, "BSON field 'collation." + name + "' is an unknown field.");
      }
    }
    BsonValue locale = spec.get("locale");
    if (locale == null) {
      throw new EngineException(
          40414, "BSON field 'collation.locale' is missing but a required field");
    }
    if (!locale.isString()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH,
          "BSON field 'collation.locale' is the wrong type '"
              + BsonTypes.nameOf(locale)
              + "', expected type 'string'");
    }
    if (locale.asString().getValue().equals("simple")) {
      if (spec.size() > 1) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "Cannot specify other options with locale 'simple': " + Values.showDocument(spec));
      }
      return BsonOrder.SIMPLE;
    }
    checkLocale(locale.asString().getValue());
    String alternate =
        choice(spec, "alternate", "non-ignorable", Set.of("non-ignorable", "shifted"));
    String caseFirst = choice(spec, "caseFirst", "off", Set.of("off", "upper", "lower"));
    String variable = choice(spec, "maxVariable", "punct", Set.of("punct", "space"));
    flag(spec, "normalization");
    return BsonOrder.collated(
        new Collation(
            strength(spec),
            flag(spec, "caseLevel"),
            caseFirst.equals("upper"),
            flag(spec, "numericOrdering"),
            alternate.equals("shifted"),
            variable.equals("space"),
            flag(spec, "backwards")));
  }

  private static void checkLocale(String locale) {
    String language = locale.split("[_@-]", 2)[0];
    boolean plain =
        !locale.contains("@") && !locale.equals("fr_CA") && ROOT_LOCALES.contains(language);
    if (!plain) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "the collation locale '" + locale + "' is not supported");
    }
  }

  private static int strength(BsonDocument spec) {
    BsonValue value = spec.get("strength");
    if (value == null) {
      return 3;
    }
    if (!value.isNumber() || !Numbers.isInt(value)) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH,
          "BSON field 'collation.strength' is the wrong type '"
              + BsonTypes.nameOf(value)
              + "', expected type 'int'");
    }
    int strength = (int) Numbers.toLong(value);
    if (strength < 1 || strength > 5) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE,
          "Enumeration value '"
              + strength
              + "' for field 'collation.strength' is not a valid value.");
    }
    return strength;
  }

  private static boolean flag(BsonDocument spec, String name) {
    BsonValue value = spec.get(name);
    if (value == null) {
      return false;
    }
    if (!(value instanceof BsonBoolean flag)) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH,
          "BSON field 'collation."
              + name
              + "' is the wrong type '"
              + BsonTypes.nameOf(value)
              + "', expected type 'bool'");
    }
    return flag.getValue();
  }

  private static String choice(
      BsonDocument spec, String name, String otherwise, Set<String> known) {
    BsonValue value = spec.get(name);
    String text = value == null ? otherwise : value.isString() ? value.asString().getValue() : "";
    if (!known.contains(text)) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE,
          "Enumeration value '"
              + text
              + "' for field 'collation."
              + name
              + "' is not a valid value.");
    }
    return text;
  }

  @Override
  public int compare(String a, String b) {
    return a.equals(b) ? 0 : Arrays.compareUnsigned(sortKey(a), sortKey(b));
  }

  @Override
  public byte[] sortKey(String value) {
    return new KeyBuilder(this).build(value);
  }

  /**
   * Letters that no decomposition leads to their base, with that base; their difference is one of
   * accents.
   */
  static final Map<Integer, String> BASES =
      Map.ofEntries(
          Map.entry(0xDF, "ss"),
          Map.entry(0x1E9E, "ss"),
          Map.entry(0xE6, "ae"),
          Map.entry(0x153, "oe"),
          Map.entry(0xF8, "o"),
          Map.entry(0x111, "d"),
          Map.entry(0x142, "l"),
          Map.entry(0x127, "h"));
}
