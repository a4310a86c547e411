// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.text;

import static io.fairlead.engine.error.ErrorCodes.CANNOT_CREATE_INDEX;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * How a text index reads documents. Immutable.
 *
 * @param weights by path; the path {@code $**} stands for every field
 * @param language of texts that do not say theirs
 * @param override the field by which a document, or one within it, says its language
 */
public record TextIndexOptions(
    Map<String, Double> weights, TextLanguage language, String override) {
  static final String EVERYTHING = "$**";
  private static final int WEIGHT_END = 100_000;
  private static final int VERSION = 3;

  public TextIndexOptions {
    weights = Map.copyOf(weights);
  }

  /** The options of an index that was completed. */
  public static TextIndexOptions of(BsonDocument declared) {
    Map<String, Double> weights = new TreeMap<>();
    declared
        .getDocument("weights")
        .forEach((path, weight) -> weights.put(path, Numbers.toDouble(weight)));
    return new TextIndexOptions(
        weights,
        language(declared.getString("default_language").getValue()),
        declared.getString("language_override").getValue());
  }

  /**
   * Makes of a wish for a text index what is kept of it: the key with {@code _fts} and {@code
   * _ftsx} in the place of the texts' paths, which are in the weights.
   *
   * @throws EngineException 67
   */
  public static void complete(BsonDocument declared, BsonDocument result) {
    Map<String, BsonValue> weights = new TreeMap<>();
    result.put("key", key(result.getDocument("key"), weights));
    BsonValue given = declared.get("weights");
    if (given instanceof BsonDocument document) {
      document.forEach((path, weight) -> weights.put(path, checked(path, weight)));
    } else if (new BsonString(EVERYTHING).equals(given)) {
      weights.put(EVERYTHING, new BsonInt32(1));
    } else if (given != null) {
      throw refused("text index option 'weights' must be an object");
    }
    if (weights.isEmpty()) {
      throw refused("text index has no fields to index");
    }
    BsonDocument all = new BsonDocument();
    weights.forEach(all::append);
    String language = text(declared, "default_language", "english");
    language(language);
    String override = text(declared, "language_override", "language");
    if (override.isEmpty() || override.startsWith("$")) {
      throw refused("language_override is not valid");
    }
    BsonValue version = declared.get("textIndexVersion");
    if (version != null && !(version.isNumber() && Numbers.toDouble(version) == VERSION)) {
      throw refused(
          "Unsupported text index version: "
              + Values.show(version)
              + "; this server makes "
              + VERSION);
    }
    result
        .append("weights", all)
        .append("default_language", new BsonString(language))
        .append("language_override", new BsonString(override))
        .append("textIndexVersion", new BsonInt32(VERSION));
  }

  private static BsonDocument key(BsonDocument given, Map<String, BsonValue> weights) {
    BsonDocument key = new BsonDocument();
    boolean left = false;
    for (Map.Entry<String, BsonValue> field : given.entrySet()) {
      String path = field.getKey();
      boolean text = new BsonString("text").equals(field.getValue());
      if (text) {
        if (left) {
          throw refused("'text' fields in index must all be adjacent");
        }
        if (!path.equals("_fts")) {
          weights.put(path, new BsonInt32(1));
        }
        key.put("_fts", field.getValue());
        key.put("_ftsx", new BsonInt32(1));
      } else if (!path.equals("_ftsx")) {
        left = key.containsKey("_fts");
        if (path.equals("_fts")) {
          throw refused("expecting _fts to be \"text\"");
        }
        key.put(path, field.getValue());
      }
    }
    return key;
  }

  /** The whole part of a weight: MongoDB keeps no fractions. */
  private static BsonValue checked(String path, BsonValue weight) {
    if (!weight.isNumber()) {
      throw refused("weight for text index needs numeric type");
    }
    for (String part : path.split("\\.", -1)) {
      if (part.isEmpty()) {
        throw refused(
            path.isEmpty()
                ? "weight cannot be on an empty field"
                : "weight cannot have empty path component");
      }
      if (part.startsWith("$") && !path.equals(EVERYTHING)) {
        throw refused("weight cannot have path component with $ prefix");
      }
    }
    int number = (int) Numbers.toDouble(weight);
    if (number <= 0 || number >= WEIGHT_END) {
      throw refused(
          "text index weight must be in the exclusive interval (0,"
              + WEIGHT_END
              + ") but found: "
              + number);
    }
    return new BsonInt32(number);
  }

  private static String text(BsonDocument declared, String option, String without) {
    BsonValue value = declared.get(option);
    if (value == null) {
      return without;
    }
    if (!value.isString()) {
      throw refused("text index option '" + option + "' must be a string");
    }
    return value.asString().getValue();
  }

  private static TextLanguage language(String name) {
    TextLanguage language = TextLanguage.named(name);
    if (language == null) {
      throw refused("default_language is not valid: unsupported language \"" + name + "\"");
    }
    return language;
  }

  private static EngineException refused(String message) {
    return new EngineException(CANNOT_CREATE_INDEX, message);
  }

  /** A text of a document. */
  record Text(String text, TextLanguage language, double weight) {}

  /**
   * The texts of a document.
   *
   * @throws EngineException 17261, 17262 for a language that is none
   */
  List<Text> texts(BsonDocument document) {
    List<Text> texts = new ArrayList<>();
    within(document, "", language, texts);
    return texts;
  }

  private void within(BsonDocument document, String prefix, TextLanguage outer, List<Text> into) {
    TextLanguage here = languageOf(document, outer);
    for (Map.Entry<String, BsonValue> field : document.entrySet()) {
      String path = prefix + field.getKey();
      if (!field.getKey().equals(override)) {
        value(field.getValue(), path, here, into);
      }
    }
  }

  private void value(BsonValue value, String path, TextLanguage here, List<Text> into) {
    if (value.isString()) {
      Double weight = weights.getOrDefault(path, weights.get(EVERYTHING));
      if (weight != null) {
        into.add(new Text(value.asString().getValue(), here, weight));
      }
    } else if (value.isDocument()) {
      if (leadsToText(path)) {
        within(value.asDocument(), path + ".", here, into);
      }
    } else if (value.isArray() && (weights.containsKey(path) || leadsToText(path))) {
      for (BsonValue element : value.asArray()) {
        if (!element.isArray()) {
          value(element, path, here, into);
        }
      }
    }
  }

  private boolean leadsToText(String path) {
    return weights.containsKey(EVERYTHING)
        || weights.keySet().stream().anyMatch(one -> one.startsWith(path + "."));
  }

  private TextLanguage languageOf(BsonDocument document, TextLanguage outer) {
    BsonValue name = document.get(override);
    if (name == null) {
      return outer;
    }
    if (!name.isString()) {
      throw new EngineException(
          17261, "found language override field in document with non-string type");
    }
    TextLanguage language = TextLanguage.named(name.asString().getValue());
    if (language == null) {
      throw new EngineException(
          17262, "language override unsupported: " + name.asString().getValue());
    }
    return language;
  }

  /**
   * The score of every word of a document, by the formula of MongoDB's text indexes: a word counts
   * by half, a quarter … with every repetition within a text, more in a short text than in a long
   * one, a tenth more when it is the whole text, times the text's weight; over all texts summed up.
   */
  public Map<String, Double> scores(BsonDocument document) {
    Map<String, Double> scores = new TreeMap<>();
    for (Text text : texts(document)) {
      List<String> stems = new Words(text.language).stems(text.text, false, false);
      Map<String, double[]> counts = new TreeMap<>();
      for (String stem : stems) {
        double[] count = counts.computeIfAbsent(stem, word -> new double[2]);
        count[1] += Math.scalb(1.0, -(int) Math.min(count[0], 1000));
        count[0]++;
      }
      counts.forEach(
          (stem, count) -> {
            double dense = 0.5 * count[0] / stems.size() + 0.5;
            double whole = text.text.equalsIgnoreCase(stem) ? 1.1 : 1;
            scores.merge(stem, text.weight * count[1] * dense * whole, Double::sum);
          });
    }
    return scores;
  }
}
