// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.ReadWish.SessionState.AfterOwnWrite;
import io.fairlead.topology.readpreference.ReadWish.SessionState.InTransaction;
import io.fairlead.topology.readpreference.ReadWish.SessionState.None;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The one decision about what an operation is really performed with. Selection, the command's
 * {@code $readPreference} and a second borrow after a network error all use this one answer.
 *
 * @param preference what selection goes by
 */
public record EffectiveReadPreference(OperationKind kind, ReadPreference preference) {
  /** MongoDB 5.0, the first whose secondaries run {@code $out} and {@code $merge}. */
  private static final int WRITES_BEHIND_SECONDARIES = 13;

  /**
   * Order: operation, collection, database, client, primary.
   *
   * @throws InvalidReadPreferenceException if a transaction's read preference is not primary
   */
  public static EffectiveReadPreference of(ReadWish wish, TopologyDescription topology) {
    return new EffectiveReadPreference(wish.kind(), preferenceOf(wish, topology));
  }

  private static ReadPreference preferenceOf(ReadWish wish, TopologyDescription topology) {
    return switch (wish.transaction()) {
      case InTransaction transaction -> inTransaction(wish, transaction);
      case AfterOwnWrite ignored -> ReadPreference.PRIMARY;
      case None ignored -> byKind(wish, topology);
    };
  }

  /** Only the transaction's own counts: its options', else the session's, else the client's. */
  private static ReadPreference inTransaction(ReadWish wish, InTransaction transaction) {
    ReadPreference own = first(transaction.options(), transaction.session(), wish.client());
    if (wish.kind() == OperationKind.WRITE) {
      return ReadPreference.PRIMARY;
    }
    if (!own.isPrimary()) {
      throw new InvalidReadPreferenceException(
          "read preference in a transaction must be primary, was " + own);
    }
    return own;
  }

  private static ReadPreference byKind(ReadWish wish, TopologyDescription topology) {
    return switch (wish.kind()) {
      case READ -> configured(wish);
      case AGGREGATE_WITH_WRITE -> anyBefore5(topology) ? ReadPreference.PRIMARY : configured(wish);
      case RUN_COMMAND -> first(wish.operation());
      case PRIMARY_HELPER, WRITE -> ReadPreference.PRIMARY;
    };
  }

  private static ReadPreference configured(ReadWish wish) {
    return first(wish.operation(), wish.collection(), wish.database(), wish.client());
  }

  private static ReadPreference first(@Nullable ReadPreference... levels) {
    for (ReadPreference level : levels) {
      if (level != null) {
        return level;
      }
    }
    return ReadPreference.PRIMARY;
  }

  private static boolean anyBefore5(TopologyDescription topology) {
    for (ServerDescription server : topology.list()) {
      if (server.isDataBearing()
          && server.type() != ServerType.LOAD_BALANCER
          && server.limits().maxWireVersion() < WRITES_BEHIND_SECONDARIES) {
        return true;
      }
    }
    return false;
  }

  /**
   * The command's {@code $readPreference} for this server; absent where none may be sent. Mode
   * primary is sent as no preference at all; on a direct connection to a member it travels as
   * {@code primaryPreferred}, so that whatever member it is will answer; a standalone is sent
   * nothing.
   */
  public Optional<BsonDocument> wireDocument(TopologyType topology, ServerType server) {
    if (kind == OperationKind.WRITE || server == ServerType.STANDALONE) {
      return Optional.empty();
    }
    boolean direct = topology == TopologyType.SINGLE && server != ServerType.MONGOS;
    if (preference.isPrimary() && direct) {
      return Optional.of(
          new BsonDocument("mode", new BsonString(Mode.PRIMARY_PREFERRED.wireName())));
    }
    if (preference.isPrimary()) {
      return Optional.empty();
    }
    // The window and maxPing are for whoever chooses a member. Before a member itself, the choice
    // has been made.
    boolean router = server == ServerType.MONGOS || server == ServerType.LOAD_BALANCER;
    return Optional.of(
        router
            ? preference.toDocument()
            : preference.withLatencyWindow(null).withMaxPing(null).toDocument());
  }
}
