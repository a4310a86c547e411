// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcernResult;
import com.mongodb.WriteError;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import io.fairlead.cluster.CommandResult;
import io.fairlead.driver.command.Replies;
import io.fairlead.driver.write.Batch.Indexed;
import java.util.List;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Runs one statement and tells its outcome in its own terms. */
final class SingleWrite {
  private final WriteRequest request;
  private final Batch batch;

  private SingleWrite(WriteRequest request, Statement statement) {
    this.request = request;
    this.batch = new Batch(List.of(new Indexed(0, statement)), 0);
    request.requireSendable(List.of(statement));
  }

  static InsertOneResult insert(WriteRequest request, Statement insert) {
    SingleWrite write = new SingleWrite(request, insert);
    WriteReply reply = write.run();
    return reply == null
        ? InsertOneResult.unacknowledged()
        : InsertOneResult.acknowledged(write.batch.id(0));
  }

  static UpdateResult update(WriteRequest request, Update update) {
    WriteReply reply = new SingleWrite(request, update).run();
    return reply == null
        ? UpdateResult.unacknowledged()
        : UpdateResult.acknowledged(reply.matched(), (long) reply.modified(), upsertedId(reply));
  }

  static DeleteResult delete(WriteRequest request, Delete delete) {
    WriteReply reply = new SingleWrite(request, delete).run();
    return reply == null ? DeleteResult.unacknowledged() : DeleteResult.acknowledged(reply.n());
  }

  /**
   * @return null for an unacknowledged write
   * @throws MongoWriteException if the statement fails
   * @throws MongoWriteConcernException if it does not, but its write concern is not reached
   */
  private @Nullable WriteReply run() {
    CommandResult answer = request.scope().deployment().execute(request.operation(batch));
    if (!request.acknowledged()) {
      return null;
    }
    WriteReply reply = WriteReply.read(answer.reply());
    if (!reply.errors().isEmpty() || reply.writeConcernError() != null) {
      throw failure(reply, Replies.address(answer.server()));
    }
    return reply;
  }

  private RuntimeException failure(WriteReply reply, ServerAddress server) {
    if (!reply.errors().isEmpty()) {
      return new MongoWriteException(new WriteError(reply.errors().get(0)), server, reply.labels());
    }
    WriteConcernResult done =
        WriteConcernResult.acknowledged(
            reply.n(),
            batch.kind() == Statement.Kind.UPDATE && reply.matched() > 0,
            upsertedId(reply));
    return new MongoWriteConcernException(reply.writeConcernError(), done, server, reply.labels());
  }

  private static @Nullable BsonValue upsertedId(WriteReply reply) {
    return reply.upserted().isEmpty() ? null : reply.upserted().get(0).id();
  }
}
