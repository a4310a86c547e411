// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoSocketException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteError;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientDeleteResult;
import com.mongodb.client.model.bulk.ClientInsertOneResult;
import com.mongodb.client.model.bulk.ClientUpdateResult;
import io.fairlead.cluster.CommandResult;
import io.fairlead.driver.command.RawFields;
import io.fairlead.driver.command.Replies;
import io.fairlead.driver.write.ClientBulkResults.Counts;
import io.fairlead.driver.write.ClientBulkResults.Deleted;
import io.fairlead.driver.write.ClientBulkResults.Inserted;
import io.fairlead.driver.write.ClientBulkResults.Summary;
import io.fairlead.driver.write.ClientBulkResults.Updated;
import io.fairlead.driver.write.ClientBulkResults.Verbose;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Puts the outcomes of the batches of a client's bulk write together as if they had been one
 * command: every index is the caller's own.
 */
final class ClientBulkOutcome {
  private final boolean ordered;
  private final boolean verbose;
  private Counts counts = Counts.NONE;
  private final Map<Integer, ClientInsertOneResult> inserts = new TreeMap<>();
  private final Map<Integer, ClientUpdateResult> updates = new TreeMap<>();
  private final Map<Integer, ClientDeleteResult> deletes = new TreeMap<>();
  private final Map<Integer, WriteError> errors = new TreeMap<>();
  private final List<WriteConcernError> writeConcernErrors = new ArrayList<>();
  private boolean something;
  private @Nullable ServerAddress server;

  ClientBulkOutcome(boolean ordered, boolean verbose) {
    this.ordered = ordered;
    this.verbose = verbose;
  }

  /** Takes what the reply itself says of a batch; its cursor follows. */
  void add(ClientBatch batch, CommandResult answer) {
    server = Replies.address(answer.server());
    int failed = 0;
    RawFields fields = RawFields.of(answer.reply());
    while (fields.advance()) {
      if (fields.named("nErrors")) {
        failed = (int) fields.number();
      } else if (fields.named("writeConcernError")) {
        writeConcernErrors.add(Replies.writeConcernError(fields.value().asDocument()));
      }
    }
    counts = counts.plus(answer.reply());
    // of an ordered batch the cursor tells whether anything came before the one that failed
    something |= ordered ? failed == 0 : failed < batch.taken();
  }

  /** Takes what became of one statement. */
  void add(ClientBatch batch, BsonDocument each) {
    int position = each.getNumber("idx").intValue();
    int index = batch.indexOf(position);
    if (each.getNumber("ok").intValue() != 1) {
      something |= ordered && position > 0;
      errors.put(
          index,
          new WriteError(
              each.getNumber("code").intValue(),
              each.getString("errmsg", new BsonString("")).getValue(),
              each.getDocument("errInfo", new BsonDocument())));
    } else if (verbose) {
      long n = each.getNumber("n", new BsonInt32(0)).longValue();
      switch (batch.kind(position)) {
        case INSERT -> inserts.put(index, new Inserted(Optional.ofNullable(batch.id(position))));
        case UPDATE ->
            updates.put(
                index,
                new Updated(
                    n,
                    each.getNumber("nModified", new BsonInt32(0)).longValue(),
                    Optional.ofNullable(
                        each.getDocument("upserted", new BsonDocument()).get("_id"))));
        case DELETE -> deletes.put(index, new Deleted(n));
      }
    }
  }

  boolean mustStop() {
    return ordered && !errors.isEmpty();
  }

  /**
   * @throws ClientBulkWriteException if anything failed
   */
  ClientBulkWriteResult result() {
    ServerAddress answered = server;
    if (answered != null && (!errors.isEmpty() || !writeConcernErrors.isEmpty())) {
      throw new ClientBulkWriteException(null, writeConcernErrors, errors, partial(), answered);
    }
    return summary();
  }

  /**
   * What is thrown because of an error that ended the bulk: with what was done before it, or the
   * error itself where nothing was.
   */
  MongoException endedBy(MongoException error) {
    ServerAddress address = address(error);
    boolean nothing = errors.isEmpty() && writeConcernErrors.isEmpty() && !something;
    if (address == null || nothing) {
      return error;
    }
    ClientBulkWriteException ended =
        new ClientBulkWriteException(error, writeConcernErrors, errors, partial(), address);
    error.getErrorLabels().forEach(ended::addLabel);
    return ended;
  }

  private @Nullable ServerAddress address(MongoException error) {
    return switch (error) {
      case MongoServerException told -> told.getServerAddress();
      case MongoSocketException broken -> broken.getServerAddress();
      default -> server;
    };
  }

  private @Nullable ClientBulkWriteResult partial() {
    return something ? summary() : null;
  }

  private ClientBulkWriteResult summary() {
    return new Summary(
        counts, verbose ? Optional.of(new Verbose(inserts, updates, deletes)) : Optional.empty());
  }
}
