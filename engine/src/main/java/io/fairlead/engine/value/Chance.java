// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.Set;
import org.bson.BsonValue;

/** Whether a query leaves something to chance, so that run again it answers otherwise. */
public final class Chance {
  private static final Set<String> NAMES = Set.of("$rand", "$sampleRate", "$sample");

  private Chance() {}

  /** Whether a filter or a stage names chance anywhere. */
  public static boolean isIn(BsonValue spec) {
    if (spec.isDocument()) {
      return spec.asDocument().entrySet().stream()
          .anyMatch(field -> NAMES.contains(field.getKey()) || isIn(field.getValue()));
    }
    return spec.isArray() && spec.asArray().stream().anyMatch(Chance::isIn);
  }
}
