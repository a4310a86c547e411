// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collation;

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.Arrays;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The options of a collation, checked, with the locale's defaults for those that were not given.
 *
 * @param document all of them, in the order in which they are reported
 * @param collator ICU's, frozen
 */
record CollationSpec(BsonDocument document, RuleBasedCollator collator) {
  /**
   * What MongoDB 8.0 reports and accepts. It is a name on the options rather than on ICU's tables:
   * sort keys live no longer than the process.
   */
  private static final String VERSION = "57.1";

  private static final int INCOMPATIBLE_COLLATION_VERSION = 161;
  private static final int DEFAULT_STRENGTH = 3;
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

  /** Parses the options; null for the locale {@code simple}. */
  static @Nullable CollationSpec parse(BsonDocument given) {
    for (String name : given.keySet()) {
      if (!OPTIONS.contains(name)) {
        throw new EngineException(
            40415, "BSON field 'collation." + name + "' is an unknown field.");
      }
    }
    BsonValue locale = given.get("locale");
    if (locale == null) {
      throw new EngineException(
          40414, "BSON field 'collation.locale' is missing but a required field");
    }
    String name = text(locale, "locale");
    if (name.equals("simple")) {
      if (given.size() > 1) {
        throw badValue("Cannot specify other options with locale 'simple': ", given);
      }
      return null;
    }
    RuleBasedCollator collator = collator(name, given);
    apply(given, collator);
    checkVersion(given);
    BsonDocument whole = describe(name, collator);
    checkTogether(given, whole);
    collator.freeze();
    return new CollationSpec(whole, collator);
  }

  private static RuleBasedCollator collator(String name, BsonDocument given) {
    if (name.isEmpty()) {
      throw badValue("Field 'locale' cannot be the empty string in: ", given);
    }
    if (name.indexOf('\0') >= 0) {
      throw badValue("Field 'locale' contains null byte: ", given);
    }
    ULocale locale = new ULocale(name);
    if (!locale.getName().equals(name) || name.equals("root")) {
      throw badValue(
          "Field 'locale' is invalid in: ",
          given,
          locale.getName().isEmpty() ? "" : ". Did you mean '" + locale.getName() + "'?");
    }
    if (!(Collator.getInstance(locale) instanceof RuleBasedCollator collator)) {
      throw new IllegalStateException("not a collator of rules: " + name);
    }
    ULocale valid = collator.getLocale(ULocale.VALID_LOCALE);
    String kind = locale.getKeywordValue("collation");
    boolean known =
        valid != null
            && !valid.getLanguage().isEmpty()
            && valid.getLanguage().equals(new ULocale(ULocale.canonicalize(name)).getLanguage())
            && (kind == null
                || Arrays.asList(Collator.getKeywordValuesForLocale("collation", locale, false))
                    .contains(kind));
    if (!known) {
      throw badValue("Field 'locale' is invalid in: ", given);
    }
    return collator.cloneAsThawed();
  }

  private static void apply(BsonDocument given, RuleBasedCollator collator) {
    int strength = strength(given);
    collator.setStrength(strength == 5 ? Collator.IDENTICAL : strength - 1);
    Boolean caseLevel = flag(given, "caseLevel");
    if (caseLevel != null) {
      collator.setCaseLevel(caseLevel);
    }
    String caseFirst = choice(given, "caseFirst", Set.of("off", "upper", "lower"));
    if (caseFirst != null) {
      collator.setUpperCaseFirst(caseFirst.equals("upper"));
      if (!caseFirst.equals("upper")) {
        collator.setLowerCaseFirst(caseFirst.equals("lower"));
      }
    }
    Boolean numeric = flag(given, "numericOrdering");
    if (numeric != null) {
      collator.setNumericCollation(numeric);
    }
    String alternate = choice(given, "alternate", Set.of("non-ignorable", "shifted"));
    if (alternate != null) {
      collator.setAlternateHandlingShifted(alternate.equals("shifted"));
    }
    String variable = choice(given, "maxVariable", Set.of("punct", "space"));
    if (variable != null) {
      collator.setMaxVariable(
          variable.equals("space")
              ? Collator.ReorderCodes.SPACE
              : Collator.ReorderCodes.PUNCTUATION);
    }
    Boolean normalization = flag(given, "normalization");
    if (normalization != null) {
      collator.setDecomposition(
          normalization ? Collator.CANONICAL_DECOMPOSITION : Collator.NO_DECOMPOSITION);
    }
    Boolean backwards = flag(given, "backwards");
    if (backwards != null) {
      collator.setFrenchCollation(backwards);
    }
  }

  private static void checkVersion(BsonDocument given) {
    BsonValue version = given.get("version");
    if (version != null && !text(version, "version").equals(VERSION)) {
      throw new EngineException(
          INCOMPATIBLE_COLLATION_VERSION,
          "Requested collation version "
              + Values.show(version)
              + " but the only available collator version was \""
              + VERSION
              + "\". Requested collation spec: "
              + Values.showDocument(given));
    }
  }

  /** Options that contradict each other. */
  private static void checkTogether(BsonDocument given, BsonDocument whole) {
    int strength = whole.getInt32("strength").getValue();
    if (given.containsKey("backwards")
        && whole.getBoolean("backwards").getValue()
        && strength == 1) {
      throw badValue("'backwards' is invalid with 'strength' of 1 in: ", given);
    }
    if (given.containsKey("caseFirst")
        && !whole.getString("caseFirst").getValue().equals("off")
        && !whole.getBoolean("caseLevel").getValue()
        && strength < 3) {
      throw badValue(
          "'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2 in: ",
          given);
    }
  }

  private static BsonDocument describe(String locale, RuleBasedCollator collator) {
    String caseFirst =
        collator.isUpperCaseFirst() ? "upper" : collator.isLowerCaseFirst() ? "lower" : "off";
    String alternate = collator.isAlternateHandlingShifted() ? "shifted" : "non-ignorable";
    String variable = collator.getMaxVariable() == Collator.ReorderCodes.SPACE ? "space" : "punct";
    return new BsonDocument("locale", new BsonString(locale))
        .append("caseLevel", BsonBoolean.valueOf(collator.isCaseLevel()))
        .append("caseFirst", new BsonString(caseFirst))
        .append("strength", new BsonInt32(Collation.strength(collator)))
        .append("numericOrdering", BsonBoolean.valueOf(collator.getNumericCollation()))
        .append("alternate", new BsonString(alternate))
        .append("maxVariable", new BsonString(variable))
        .append(
            "normalization",
            BsonBoolean.valueOf(collator.getDecomposition() != Collator.NO_DECOMPOSITION))
        .append("backwards", BsonBoolean.valueOf(collator.isFrenchCollation()))
        .append("version", new BsonString(VERSION));
  }

  private static int strength(BsonDocument given) {
    BsonValue value = given.get("strength");
    if (value == null) {
      return DEFAULT_STRENGTH;
    }
    if (!value.isNumber() || !Numbers.isInt(value)) {
      throw wrongType("strength", value, "int");
    }
    long strength = Numbers.toLong(value);
    if (strength < 1 || strength > 5) {
      throw notAChoice("strength", Long.toString(strength));
    }
    return (int) strength;
  }

  private static @Nullable Boolean flag(BsonDocument given, String name) {
    BsonValue value = given.get(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof BsonBoolean flag)) {
      throw wrongType(name, value, "bool");
    }
    return flag.getValue();
  }

  private static @Nullable String choice(BsonDocument given, String name, Set<String> known) {
    BsonValue value = given.get(name);
    if (value == null) {
      return null;
    }
    String text = text(value, name);
    if (!known.contains(text)) {
      throw notAChoice(name, text);
    }
    return text;
  }

  private static String text(BsonValue value, String name) {
    if (!value.isString()) {
      throw wrongType(name, value, "string");
    }
    return value.asString().getValue();
  }

  private static EngineException notAChoice(String name, String value) {
    return new EngineException(
        ErrorCodes.BAD_VALUE,
        "Enumeration value '"
            + value
            + "' for field 'collation."
            + name
            + "' is not a valid value.");
  }

  private static EngineException wrongType(String name, BsonValue value, String expected) {
    return new EngineException(
        ErrorCodes.TYPE_MISMATCH,
        "BSON field 'collation."
            + name
            + "' is the wrong type '"
            + BsonTypes.nameOf(value)
            + "', expected type '"
            + expected
            + "'");
  }

  private static EngineException badValue(String what, BsonDocument given) {
    return badValue(what, given, "");
  }

  private static EngineException badValue(String what, BsonDocument given, String hint) {
    return new EngineException(ErrorCodes.BAD_VALUE, what + Values.showDocument(given) + hint);
  }
}
