// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.status;

import io.fairlead.cluster.RoutingOptions;
import io.fairlead.topology.health.HealthOptions;
import io.fairlead.topology.readpreference.LatencyWindow;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The document {@code {_id: "fairlead.routing", latencyWindow: {ms} | {percent, floorMS},
 * maxPingMS, health: {enabled, consecutiveFaults, faultPercent, outcomesMin, windowMS, ejectionMS,
 * ejectionMaxMS}}}. What it leaves out is as the router's own settings have it; what it does not
 * know it refuses.
 */
final class RoutingSetting {

  static final String ID = "fairlead.routing";

  private RoutingSetting() {}

  /**
   * The options that a document asks for.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static RoutingOptions applied(BsonDocument document, RoutingOptions own) {
    RoutingOptions options = own;
    for (var field : document.entrySet()) {
      BsonValue value = field.getValue();
      switch (field.getKey()) {
        case "_id" -> {}
        case "latencyWindow" -> options = options.withWindow(LatencyWindow.parse(value));
        case "maxPingMS" ->
            options = options.withMaxPing(value.isNull() ? null : millis("maxPingMS", value));
        case "health" -> options = options.withHealth(health(value, own.health()));
        default ->
            throw new IllegalArgumentException(
                "the routing setting does not know the field '" + field.getKey() + "'");
      }
    }
    return options;
  }

  private static HealthOptions health(BsonValue value, HealthOptions own) {
    if (!value.isDocument()) {
      throw new IllegalArgumentException("health must be a document");
    }
    boolean enabled = own.enabled();
    int consecutive = own.consecutiveFaults();
    int percent = own.faultPercent();
    int outcomes = own.outcomesMin();
    Duration window = own.window();
    Duration ejection = own.ejection();
    Duration longest = own.ejectionMax();
    for (var field : value.asDocument().entrySet()) {
      String name = field.getKey();
      BsonValue given = field.getValue();
      switch (name) {
        case "enabled" -> {
          if (!given.isBoolean()) {
            throw new IllegalArgumentException("health.enabled must be true or false");
          }
          enabled = given.asBoolean().getValue();
        }
        case "consecutiveFaults" -> consecutive = number(name, given);
        case "faultPercent" -> percent = number(name, given);
        case "outcomesMin" -> outcomes = number(name, given);
        case "windowMS" -> window = millis(name, given);
        case "ejectionMS" -> ejection = millis(name, given);
        case "ejectionMaxMS" -> longest = millis(name, given);
        default ->
            throw new IllegalArgumentException("health does not know the field '" + name + "'");
      }
    }
    return new HealthOptions(enabled, consecutive, percent, outcomes, window, ejection, longest);
  }

  private static int number(String name, BsonValue value) {
    if (!value.isNumber()) {
      throw new IllegalArgumentException(name + " must be a number");
    }
    return value.asNumber().intValue();
  }

  private static Duration millis(String name, BsonValue value) {
    if (!value.isNumber()) {
      throw new IllegalArgumentException(name + " must be a number of milliseconds");
    }
    return Duration.ofNanos((long) (value.asNumber().doubleValue() * 1e6));
  }
}
