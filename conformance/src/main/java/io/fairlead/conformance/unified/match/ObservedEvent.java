// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

import org.bson.BsonDocument;

/**
 * An event of a client.
 *
 * @param facts what the format's assertions speak of, under the same names; besides, {@code
 *     serviceId} and {@code serverConnectionId} where the event has them
 */
public record ObservedEvent(Kind kind, String name, BsonDocument facts) {
  /** The format's event types. */
  public enum Kind {
    COMMAND,
    CMAP,
    SDAM;

    public static Kind of(String eventType) {
      return switch (eventType) {
        case "command" -> COMMAND;
        case "cmap" -> CMAP;
        case "sdam" -> SDAM;
        default -> throw new TestFailure("unknown event type " + eventType);
      };
    }
  }
}
