// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.Membership;
import io.fairlead.topology.RoundTripTime;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerLimits;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyVersion;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a server says of itself in {@code hello} or its legacy form. Fields of an unexpected
 * type count as absent: what a server says wrongly it has not said.
 */
public final class HelloReply {
  private final BsonDocument hello;

  private HelloReply(BsonDocument hello) {
    this.hello = hello;
  }

  /** Whether the server answered {@code ok: 1}. */
  public static boolean isOk(BsonDocument hello) {
    BsonValue ok = hello.get("ok");
    return ok != null && ((ok.isNumber() && ok.asNumber().doubleValue() == 1) || isTrue(ok));
  }

  /**
   * What a good answer says of its server.
   *
   * @param ping what is known of the server's round trips, this one included
   */
  public static ServerDescription describe(
      HostAddress address, BsonDocument hello, @Nullable RoundTripTime ping, Instant now) {
    HelloReply reply = new HelloReply(hello);
    return new ServerDescription(
        address,
        reply.type(),
        ping,
        reply.tags(),
        reply.membership(),
        reply.limits(),
        reply.lastWriteDate(),
        now,
        reply.sessionTimeout(),
        TopologyVersion.in(hello),
        null);
  }

  private ServerType type() {
    if (isTrue(hello.get("isreplicaset"))) {
      return ServerType.RS_GHOST;
    }
    if ("isdbgrid".equals(string("msg"))) {
      return ServerType.MONGOS;
    }
    if (string("setName") == null) {
      return ServerType.STANDALONE;
    }
    if (isTrue(hello.get("hidden"))) {
      return ServerType.RS_OTHER;
    }
    if (isTrue(
        hello.get(hello.containsKey("isWritablePrimary") ? "isWritablePrimary" : "ismaster"))) {
      return ServerType.RS_PRIMARY;
    }
    if (isTrue(hello.get("secondary"))) {
      return ServerType.RS_SECONDARY;
    }
    return isTrue(hello.get("arbiterOnly")) ? ServerType.RS_ARBITER : ServerType.RS_OTHER;
  }

  private Membership membership() {
    if (string("setName") == null) {
      return Membership.NONE;
    }
    BsonValue electionId = hello.get("electionId");
    ObjectId election =
        electionId != null && electionId.isObjectId() ? electionId.asObjectId().getValue() : null;
    Integer setVersion = wholeNumber("setVersion");
    return new Membership(
        string("setName"),
        setVersion == null ? null : Long.valueOf(setVersion),
        election,
        address("me"),
        address("primary"),
        addresses("hosts"),
        addresses("passives"),
        addresses("arbiters"));
  }

  private ServerLimits limits() {
    return new ServerLimits(
        orElse(wholeNumber("minWireVersion"), ServerLimits.DEFAULT.minWireVersion()),
        orElse(wholeNumber("maxWireVersion"), ServerLimits.DEFAULT.maxWireVersion()),
        orElse(wholeNumber("maxBsonObjectSize"), ServerLimits.DEFAULT.maxBsonObjectSize()),
        orElse(wholeNumber("maxMessageSizeBytes"), ServerLimits.DEFAULT.maxMessageSizeBytes()),
        orElse(wholeNumber("maxWriteBatchSize"), ServerLimits.DEFAULT.maxWriteBatchSize()));
  }

  private Map<String, String> tags() {
    Map<String, String> tags = new LinkedHashMap<>();
    BsonValue value = hello.get("tags");
    if (value != null && value.isDocument()) {
      value
          .asDocument()
          .forEach(
              (name, tag) -> {
                if (tag.isString()) {
                  tags.put(name, tag.asString().getValue());
                }
              });
    }
    return tags;
  }

  private @Nullable Instant lastWriteDate() {
    BsonValue lastWrite = hello.get("lastWrite");
    if (lastWrite == null || !lastWrite.isDocument()) {
      return null;
    }
    BsonValue date = lastWrite.asDocument().get("lastWriteDate");
    return date != null && date.isDateTime()
        ? Instant.ofEpochMilli(date.asDateTime().getValue())
        : null;
  }

  private @Nullable Integer sessionTimeout() {
    return wholeNumber("logicalSessionTimeoutMinutes");
  }

  private @Nullable String string(String field) {
    BsonValue value = hello.get(field);
    return value != null && value.isString() ? value.asString().getValue() : null;
  }

  private @Nullable Integer wholeNumber(String field) {
    BsonValue value = hello.get(field);
    return value != null && value.isNumber() ? value.asNumber().intValue() : null;
  }

  private static int orElse(@Nullable Integer number, int otherwise) {
    return number == null ? otherwise : number;
  }

  private @Nullable HostAddress address(String field) {
    String text = string(field);
    return text == null ? null : parsed(text);
  }

  private Set<HostAddress> addresses(String field) {
    Set<HostAddress> addresses = new LinkedHashSet<>();
    BsonValue list = hello.get(field);
    if (list != null && list.isArray()) {
      for (BsonValue each : list.asArray()) {
        HostAddress address = each.isString() ? parsed(each.asString().getValue()) : null;
        if (address != null) {
          addresses.add(address);
        }
      }
    }
    return addresses;
  }

  /** An address that can't be read can't be reached either: the member counts as not named. */
  private static @Nullable HostAddress parsed(String text) {
    try {
      return HostAddress.parse(text);
    } catch (IllegalArgumentException unreadable) {
      return null;
    }
  }

  private static boolean isTrue(@Nullable BsonValue value) {
    return value != null && value.isBoolean() && value.asBoolean().getValue();
  }
}
