// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.TransactionBody;
import io.fairlead.conformance.unified.entity.Options;
import io.fairlead.conformance.unified.entity.SessionEntity;
import io.fairlead.conformance.unified.format.OperationSpec;
import io.fairlead.conformance.unified.match.NotInApiException;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.List;
import org.bson.BsonDocument;

/** Operations on a session. */
final class SessionOperations {
  private SessionOperations() {}

  static Prepared prepare(String name, SessionEntity entity, Args args, Operations operations) {
    ClientSession session = entity.session();
    return switch (name) {
      case "startTransaction" -> {
        TransactionOptions options = options(args);
        yield Prepared.nothing(() -> session.startTransaction(options));
      }
      case "commitTransaction" -> {
        refuseTimeout(args, name);
        yield Prepared.nothing(session::commitTransaction);
      }
      case "abortTransaction" -> {
        refuseTimeout(args, name);
        yield Prepared.nothing(session::abortTransaction);
      }
      case "withTransaction" -> withTransaction(session, args, operations);
      case "endSession" -> Prepared.nothing(session::close);
      case "getSnapshotTime" -> () -> Outcome.orNothing(session.getSnapshotTimestamp());
      default -> throw new TestFailure("a session has no operation " + name);
    };
  }

  private static void refuseTimeout(Args args, String name) {
    args.value(
        "timeoutMS",
        timeout -> {
          throw new NotInApiException("timeoutMS of " + name);
        });
  }

  private static TransactionOptions options(Args args) {
    BsonDocument options = new BsonDocument();
    for (String option :
        List.of("readConcern", "writeConcern", "readPreference", "maxCommitTimeMS", "timeoutMS")) {
      args.value(option, value -> options.append(option, value));
    }
    return Options.transaction(options);
  }

  private static Prepared withTransaction(ClientSession session, Args args, Operations operations) {
    List<OperationSpec> callback =
        args.required("callback").asArray().stream().map(OperationSpec::parse).toList();
    TransactionOptions options = options(args);
    TransactionBody<Boolean> body =
        () -> {
          callback.forEach(operations::runInCallback);
          return true;
        };
    return Prepared.nothing(
        () -> {
          session.withTransaction(body, options);
        });
  }
}
