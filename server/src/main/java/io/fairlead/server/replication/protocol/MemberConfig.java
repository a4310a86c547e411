// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * One member in the set's configuration.
 *
 * @param id {@code _id}, 0 to 255, unique in the set and kept for good
 * @param host {@code host:port} as members and clients reach it
 * @param arbiterOnly votes, holds no data
 * @param hidden invisible to clients; needs priority 0
 * @param priority 0 never leads; else the higher the sooner, at most 1000
 * @param tags for read preferences and write concern modes
 * @param delay how far behind it stays on purpose; needs priority 0 when not zero
 * @param votes 0 or 1
 */
public record MemberConfig(
    int id,
    String host,
    boolean arbiterOnly,
    boolean hidden,
    double priority,
    Map<String, String> tags,
    Duration delay,
    int votes) {

  public MemberConfig {
    require(id >= 0 && id <= 255, "_id of " + host + " must be between 0 and 255");
    require(host.matches("\\S+:\\d{1,5}"), "host must be host:port, was '" + host + "'");
    require(
        priority >= 0 && priority <= 1000, "priority of " + host + " must be between 0 and 1000");
    require(votes == 0 || votes == 1, "votes of " + host + " must be 0 or 1");
    require(votes == 1 || priority == 0, "priority of " + host + " must be 0 when it has no vote");
    require(!hidden || priority == 0, "priority of " + host + " must be 0 when it is hidden");
    require(
        delay.isZero() || priority == 0, "priority of " + host + " must be 0 when it is delayed");
    require(!arbiterOnly || tags.isEmpty(), "the arbiter " + host + " cannot have tags");
    tags = Map.copyOf(tags);
  }

  /** An ordinary member: one vote, priority 1. */
  public static MemberConfig of(int id, String host) {
    return new MemberConfig(id, host, false, false, 1, Map.of(), Duration.ZERO, 1);
  }

  public MemberConfig withPriority(double newPriority) {
    return new MemberConfig(id, host, arbiterOnly, hidden, newPriority, tags, delay, votes);
  }

  public MemberConfig withTags(Map<String, String> newTags) {
    return new MemberConfig(id, host, arbiterOnly, hidden, priority, newTags, delay, votes);
  }

  public boolean voter() {
    return votes == 1;
  }

  /** Whether its copy of the data counts for a majority. */
  public boolean votingDataBearing() {
    return votes == 1 && !arbiterOnly;
  }

  public boolean electable() {
    return !arbiterOnly && priority > 0;
  }

  BsonDocument toDocument() {
    BsonDocument tagDocument = new BsonDocument();
    new TreeMap<>(tags).forEach((name, value) -> tagDocument.append(name, new BsonString(value)));
    return new BsonDocument("_id", new BsonInt32(id))
        .append("host", new BsonString(host))
        .append("arbiterOnly", BsonBoolean.valueOf(arbiterOnly))
        .append("buildIndexes", BsonBoolean.TRUE)
        .append("hidden", BsonBoolean.valueOf(hidden))
        .append("priority", new BsonDouble(priority))
        .append("tags", tagDocument)
        .append("secondaryDelaySecs", new BsonInt64(delay.toSeconds()))
        .append("votes", new BsonInt32(votes));
  }

  static MemberConfig parse(BsonDocument document) {
    int id = -1;
    String host = "";
    boolean arbiterOnly = false;
    boolean hidden = false;
    double priority = Double.NaN;
    Map<String, String> tags = new TreeMap<>();
    Duration delay = Duration.ZERO;
    int votes = 1;
    for (Map.Entry<String, BsonValue> field : document.entrySet()) {
      BsonValue value = field.getValue();
      switch (field.getKey()) {
        case "_id" -> id = number(field).intValue();
        case "host" -> host = value.isString() ? withPort(value.asString().getValue()) : "";
        case "arbiterOnly" -> arbiterOnly = truth(field);
        case "hidden" -> hidden = truth(field);
        case "priority" -> priority = number(field).doubleValue();
        case "secondaryDelaySecs" -> delay = Duration.ofSeconds(number(field).longValue());
        case "votes" -> votes = number(field).intValue();
        case "buildIndexes" -> require(truth(field), "buildIndexes: false is not supported");
        case "tags" -> {
          require(value.isDocument(), "tags must be a document");
          for (Map.Entry<String, BsonValue> tag : value.asDocument().entrySet()) {
            require(tag.getValue().isString(), "the tag " + tag.getKey() + " must be a string");
            tags.put(tag.getKey(), tag.getValue().asString().getValue());
          }
        }
        default ->
            throw new IllegalArgumentException("unknown field 'members." + field.getKey() + "'");
      }
    }
    if (Double.isNaN(priority)) {
      priority = arbiterOnly ? 0 : 1;
    }
    return new MemberConfig(
        id, host, arbiterOnly, hidden, arbiterOnly ? 0 : priority, tags, delay, votes);
  }

  private static String withPort(String host) {
    return host.matches(".*:\\d+") ? host : host + ":27017";
  }

  private static BsonNumber number(Map.Entry<String, BsonValue> field) {
    require(field.getValue().isNumber(), field.getKey() + " must be a number");
    return field.getValue().asNumber();
  }

  private static boolean truth(Map.Entry<String, BsonValue> field) {
    BsonValue value = field.getValue();
    if (value.isNumber()) {
      return value.asNumber().doubleValue() != 0;
    }
    require(value.isBoolean(), field.getKey() + " must be true or false");
    return value.asBoolean().getValue();
  }

  private static void require(boolean held, String otherwise) {
    if (!held) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
