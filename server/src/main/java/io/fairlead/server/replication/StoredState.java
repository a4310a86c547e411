// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.server.oplog.Oplog;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.server.replication.protocol.Vote;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What a member must remember across restarts beside its data: configuration and last vote, in the
 * database {@code local}.
 */
final class StoredState {
  private static final Namespace CONFIG = Namespace.of("local", "system.replset");
  private static final Namespace ELECTION = Namespace.of("local", "replset.election");

  private static final BsonString ELECTION_ID = new BsonString("lastVote");

  private final Engine engine;
  private final String setName;

  StoredState(Engine engine, String setName) {
    this.engine = engine;
    this.setName = setName;
  }

  /**
   * Whether a collection is this member's alone: rollback and initial sync leave it as it is. A
   * vote that was given is never taken back.
   */
  static boolean isOwn(Namespace collection) {
    return collection.database().equals("local") && !collection.equals(Oplog.NAMESPACE);
  }

  @Nullable ReplicaSetConfig config() {
    RawBsonDocument document = engine.snapshot().findById(CONFIG, new BsonString(setName));
    return document == null ? null : ReplicaSetConfig.parse(document, new ObjectId());
  }

  void store(ReplicaSetConfig config) {
    put(CONFIG, config.toDocument());
  }

  Vote vote() {
    RawBsonDocument document = engine.snapshot().findById(ELECTION, ELECTION_ID);
    return document == null
        ? Vote.NONE
        : new Vote(document.getInt64("term").getValue(), document.getInt32("candidate").getValue());
  }

  void store(Vote vote) {
    put(
        ELECTION,
        new BsonDocument("_id", ELECTION_ID)
            .append("term", new BsonInt64(vote.term()))
            .append("candidate", new BsonInt32(vote.candidate())));
  }

  private void put(Namespace namespace, BsonDocument document) {
    engine.write(
        WriteContext.unreplicated(),
        transaction -> {
          transaction.put(namespace, document);
          return true;
        });
    recorded();
  }

  /** Waits for the disk: a vote that was given must not be given again after a crash. */
  void recorded() {
    try {
      engine.awaitDurable();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(ErrorCodes.SHUTDOWN_IN_PROGRESS, "the server is shutting down");
    }
  }
}
