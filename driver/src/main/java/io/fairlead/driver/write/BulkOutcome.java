// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteInsert;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.bulk.WriteConcernError;
import io.fairlead.driver.command.Replies;
import io.fairlead.topology.HostAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the outcomes of batches together as if they had been one command: every index is the
 * caller's own.
 */
final class BulkOutcome {
  private final boolean ordered;
  private int inserted;
  private int matched;
  private int deleted;
  private int modified;
  private final List<BulkWriteInsert> inserts = new ArrayList<>();
  private final List<BulkWriteUpsert> upserts = new ArrayList<>();
  private final List<BulkWriteError> errors = new ArrayList<>();
  private final Set<String> labels = new HashSet<>();
  private @Nullable WriteConcernError writeConcernError;
  private @Nullable HostAddress server;

  BulkOutcome(boolean ordered) {
    this.ordered = ordered;
  }

  void add(Batch batch, WriteReply reply, HostAddress from) {
    server = from;
    switch (batch.kind()) {
      case INSERT -> {
        inserted += reply.n();
        addInserts(batch, reply);
      }
      case UPDATE -> {
        matched += reply.matched();
        modified += reply.modified();
        reply
            .upserted()
            .forEach(
                each ->
                    upserts.add(new BulkWriteUpsert(batch.indexOf(each.position()), each.id())));
      }
      case DELETE -> deleted += reply.n();
    }
    for (BulkWriteError error : reply.errors()) {
      errors.add(
          new BulkWriteError(
              error.getCode(),
              error.getMessage(),
              error.getDetails(),
              batch.indexOf(error.getIndex())));
    }
    if (reply.writeConcernError() != null) {
      writeConcernError = reply.writeConcernError();
    }
    labels.addAll(reply.labels());
  }

  private void addInserts(Batch batch, WriteReply reply) {
    Set<Integer> failed = new HashSet<>();
    int reached = batch.taken();
    for (BulkWriteError error : reply.errors()) {
      failed.add(error.getIndex());
      if (ordered) {
        reached = Math.min(reached, error.getIndex());
      }
    }
    for (int i = 0; i < reached; i++) {
      if (!failed.contains(i)) {
        inserts.add(new BulkWriteInsert(batch.indexOf(i), batch.id(i)));
      }
    }
  }

  boolean mustStop() {
    return ordered && !errors.isEmpty();
  }

  /**
   * @throws MongoBulkWriteException if anything failed
   */
  BulkWriteResult result() {
    inserts.sort(Comparator.comparingInt(BulkWriteInsert::getIndex));
    upserts.sort(Comparator.comparingInt(BulkWriteUpsert::getIndex));
    BulkWriteResult result =
        BulkWriteResult.acknowledged(inserted, matched, deleted, modified, upserts, inserts);
    if (server != null && (!errors.isEmpty() || writeConcernError != null)) {
      errors.sort(Comparator.comparingInt(BulkWriteError::getIndex));
      throw new MongoBulkWriteException(
          result, errors, writeConcernError, Replies.address(server), labels);
    }
    return result;
  }
}
