// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** When a fail point that matches also acts. */
sealed interface FailPointMode {
  record Off() implements FailPointMode {}

  record AlwaysOn() implements FailPointMode {}

  /** Acts on the next {@code count} matching commands and is off afterwards. */
  record Times(int count) implements FailPointMode {}

  /** Lets {@code count} matching commands pass and acts on all that follow. */
  record Skip(int count) implements FailPointMode {}

  /** Acts on each matching command with this probability, 0 to 1. */
  record ActivationProbability(double probability) implements FailPointMode {}

  static FailPointMode parse(@Nullable BsonValue mode) {
    if (mode == null) {
      throw new FailPointException(
          20, "IllegalOperation", "When setting a failpoint, you must supply a 'mode'");
    }
    if (mode.isString()) {
      return switch (mode.asString().getValue()) {
        case "off" -> new Off();
        case "alwaysOn" -> new AlwaysOn();
        default -> throw FailPointException.badValue("unknown mode: " + mode.asString().getValue());
      };
    }
    if (!mode.isDocument()) {
      throw FailPointException.typeMismatch("'mode' must be a string or JSON object");
    }
    BsonDocument document = mode.asDocument();
    if (document.size() != 1) {
      throw FailPointException.badValue(
          "'mode' must have exactly one of 'times', 'skip', 'activationProbability'");
    }
    String name = document.getFirstKey();
    BsonValue value = document.get(name);
    if (value == null || !value.isNumber()) {
      throw FailPointException.typeMismatch("'" + name + "' option to 'mode' must be a number");
    }
    return switch (name) {
      case "times" -> {
        int count = count(name, value);
        yield count == 0 ? new Off() : new Times(count);
      }
      case "skip" -> new Skip(count(name, value));
      case "activationProbability" -> {
        double probability = value.asNumber().doubleValue();
        if (!(probability >= 0 && probability <= 1)) {
          throw FailPointException.badValue(
              "activationProbability must be between 0.0 and 1.0; found " + probability);
        }
        yield new ActivationProbability(probability);
      }
      default ->
          throw FailPointException.badValue(
              "'mode' must be one of 'off', 'alwaysOn', 'times', 'skip', 'activationProbability',"
                  + " not '"
                  + name
                  + "'");
    };
  }

  private static int count(String name, BsonValue value) {
    long count = value.asNumber().longValue();
    if (count < 0) {
      throw FailPointException.badValue("'" + name + "' option to 'mode' must be positive");
    }
    if (count > Integer.MAX_VALUE) {
      throw FailPointException.badValue("'" + name + "' option to 'mode' is too large");
    }
    return (int) count;
  }
}
