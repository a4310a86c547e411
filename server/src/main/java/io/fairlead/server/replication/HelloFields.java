// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.MemberState;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.server.replication.protocol.Role;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** Replication's part of the answer to {@code hello}. */
final class HelloFields {
  private HelloFields() {}

  /**
   * What of a state a client must hear at once when it changes.
   *
   * @param primary by id; -1 for nobody
   */
  record Shape(
      MemberState state, boolean writable, int primary, long configVersion, long configTerm) {
    static Shape of(ReplicaState state) {
      ReplicaSetConfig config = state.config();
      return new Shape(
          state.memberState(),
          state.isWritablePrimary(),
          announcedPrimary(state),
          config == null ? -1 : config.version(),
          config == null ? -1 : config.term());
    }
  }

  /** A log position and the wall clock when it was written, in milliseconds since 1970. */
  record Position(OpTime opTime, long millis) {}

  static BsonDocument of(ReplicaState state, Position last, Position majority) {
    ReplicaSetConfig config = state.config();
    Optional<MemberConfig> me = state.me();
    if (config == null || me.isEmpty()) {
      return new BsonDocument("isWritablePrimary", BsonBoolean.FALSE)
          .append("secondary", BsonBoolean.FALSE)
          .append("isreplicaset", BsonBoolean.TRUE)
          .append("info", new BsonString("Does not have a valid replica set config"));
    }
    MemberConfig self = me.get();
    BsonDocument fields =
        new BsonDocument("hosts", hosts(config, member -> member.electable() && !member.hidden()));
    putUnlessEmpty(
        fields,
        "passives",
        hosts(config, member -> !member.arbiterOnly() && !member.electable() && !member.hidden()));
    putUnlessEmpty(fields, "arbiters", hosts(config, MemberConfig::arbiterOnly));
    fields
        .append("setName", new BsonString(config.name()))
        .append("setVersion", new BsonInt64(config.version()))
        .append("isWritablePrimary", BsonBoolean.valueOf(state.isWritablePrimary()))
        .append("secondary", BsonBoolean.valueOf(state.memberState() == MemberState.SECONDARY));
    config
        .member(announcedPrimary(state))
        .ifPresent(primary -> fields.append("primary", new BsonString(primary.host())));
    if (self.arbiterOnly()) {
      fields.append("arbiterOnly", BsonBoolean.TRUE);
    } else if (self.priority() == 0) {
      fields.append("passive", BsonBoolean.TRUE);
    }
    if (self.hidden()) {
      fields.append("hidden", BsonBoolean.TRUE);
    }
    if (!self.delay().isZero()) {
      fields.append("secondaryDelaySecs", new BsonInt64(self.delay().toSeconds()));
    }
    if (!self.tags().isEmpty()) {
      BsonDocument tags = new BsonDocument();
      new TreeMap<>(self.tags()).forEach((name, value) -> tags.append(name, new BsonString(value)));
      fields.append("tags", tags);
    }
    fields.append("me", new BsonString(self.host()));
    if (state.isWritablePrimary()) {
      fields.append("electionId", new BsonObjectId(electionId(state.term())));
    }
    return fields.append("lastWrite", lastWrite(last, majority));
  }

  private static BsonDocument lastWrite(Position last, Position majority) {
    return new BsonDocument("opTime", last.opTime().toDocument())
        .append("lastWriteDate", new BsonDateTime(last.millis()))
        .append("majorityOpTime", majority.opTime().toDocument())
        .append("majorityWriteDate", new BsonDateTime(majority.millis()));
  }

  /**
   * A primary that does not accept writes yet, or no more, is announced by nobody, itself least of
   * all.
   */
  private static int announcedPrimary(ReplicaState state) {
    return state.role() instanceof Role.Leader && !state.isWritablePrimary() ? -1 : state.primary();
  }

  /** Grows with the term, so that clients know the newer of two primaries. */
  static ObjectId electionId(long term) {
    return new ObjectId(ByteBuffer.allocate(12).putInt(0x7fffffff).putLong(term).array());
  }

  private static BsonArray hosts(ReplicaSetConfig config, Predicate<MemberConfig> which) {
    List<? extends BsonValue> hosts =
        config.members().stream()
            .filter(which)
            .map(member -> new BsonString(member.host()))
            .toList();
    return new BsonArray(hosts);
  }

  private static void putUnlessEmpty(BsonDocument fields, String name, BsonArray hosts) {
    if (!hosts.isEmpty()) {
      fields.append(name, hosts);
    }
  }
}
