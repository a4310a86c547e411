// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.WriteConcernError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Compares an error with the assertions of {@code expectError}. */
public final class Errors {
  private final Matching matching;

  public Errors(Matching matching) {
    this.matching = matching;
  }

  /**
   * Compares an error.
   *
   * @throws TestFailure saying which assertion does not hold
   */
  public void match(BsonDocument expected, RuntimeException error) {
    RuntimeException decisive = decisive(error);
    expected.forEach((name, value) -> assertion(name, value, error, decisive));
  }

  private void assertion(
      String name, BsonValue value, RuntimeException error, RuntimeException decisive) {
    switch (name) {
      case "isError" -> {} // there is one
      case "isClientError" ->
          require(value.asBoolean().getValue() == !isOfServer(decisive), name, value, error);
      case "isTimeoutError" ->
          require(
              value.asBoolean().getValue() == (decisive instanceof MongoOperationTimeoutException),
              name,
              value,
              error);
      case "errorContains" ->
          require(
              text(decisive).contains(value.asString().getValue().toLowerCase(Locale.ROOT)),
              name,
              value,
              error);
      case "errorCode" ->
          require(codes(decisive).contains(value.asNumber().intValue()), name, value, error);
      case "errorCodeName" ->
          require(
              codeNames(decisive).stream()
                  .anyMatch(each -> each.equalsIgnoreCase(value.asString().getValue())),
              name,
              value,
              error);
      case "errorLabelsContain" ->
          value.asArray().forEach(label -> require(hasLabel(decisive, label), name, label, error));
      case "errorLabelsOmit" ->
          value.asArray().forEach(label -> require(!hasLabel(decisive, label), name, label, error));
      case "writeErrors" -> writeErrors(value.asDocument(), error);
      case "writeConcernErrors" -> writeConcernErrors(value.asArray(), error);
      case "errorResponse" -> matching.root("errorResponse", value, response(decisive));
      case "expectResult" -> matching.root("partial result", value, partialResult(error));
      default -> throw new TestFailure("unknown assertion " + name);
    }
  }

  /** The error that ended a client's bulk write, where one did; else the error itself. */
  private static RuntimeException decisive(RuntimeException error) {
    if (error instanceof ClientBulkWriteException bulk) {
      MongoException cause = bulk.getCause();
      if (cause != null) {
        return cause;
      }
    }
    return error;
  }

  /**
   * An expired {@code maxTimeMS} is the server's answer, though its exception is of no such kind.
   */
  private static boolean isOfServer(RuntimeException error) {
    return error instanceof MongoServerException || error instanceof MongoExecutionTimeoutException;
  }

  private static String text(RuntimeException error) {
    StringBuilder text = new StringBuilder(String.valueOf(error.getMessage()));
    if (error instanceof MongoBulkWriteException bulk) {
      bulk.getWriteErrors().forEach(each -> text.append(' ').append(each.getMessage()));
    }
    return text.toString().toLowerCase(Locale.ROOT);
  }

  private static List<Integer> codes(RuntimeException error) {
    List<Integer> codes = new ArrayList<>();
    if (error instanceof MongoException server && isOfServer(error)) {
      codes.add(server.getCode());
    }
    if (error instanceof MongoBulkWriteException bulk) {
      bulk.getWriteErrors().stream().map(BulkWriteError::getCode).forEach(codes::add);
      if (bulk.getWriteConcernError() != null) {
        codes.add(bulk.getWriteConcernError().getCode());
      }
    }
    return codes;
  }

  private static List<String> codeNames(RuntimeException error) {
    List<String> names = new ArrayList<>();
    if (error instanceof MongoServerException server && server.getErrorCodeName() != null) {
      names.add(server.getErrorCodeName());
    }
    if (error instanceof MongoExecutionTimeoutException) {
      names.add("MaxTimeMSExpired"); // the only error that it is thrown for
    }
    if (error instanceof MongoWriteConcernException concern) {
      names.add(concern.getWriteConcernError().getCodeName());
    }
    if (error instanceof MongoBulkWriteException bulk && bulk.getWriteConcernError() != null) {
      names.add(bulk.getWriteConcernError().getCodeName());
    }
    BsonDocument response = response(error);
    if (response != null && response.isString("codeName")) {
      names.add(response.getString("codeName").getValue());
    }
    return names;
  }

  private static boolean hasLabel(RuntimeException error, BsonValue label) {
    return error instanceof MongoException mongo
        && mongo.hasErrorLabel(label.asString().getValue());
  }

  private static @Nullable BsonDocument response(RuntimeException error) {
    return switch (error) {
      case MongoCommandException command -> command.getResponse();
      case MongoWriteException write ->
          new BsonDocument("code", new BsonInt32(write.getError().getCode()))
              .append("errmsg", new BsonString(write.getError().getMessage()))
              .append("errInfo", write.getError().getDetails());
      default -> null;
    };
  }

  private static @Nullable BsonDocument partialResult(RuntimeException error) {
    return switch (error) {
      case MongoBulkWriteException bulk -> Results.of(bulk.getWriteResult());
      case ClientBulkWriteException bulk -> bulk.getPartialResult().map(Results::of).orElse(null);
      default -> null;
    };
  }

  private void writeErrors(BsonDocument expected, RuntimeException error) {
    BsonDocument actual = new BsonDocument();
    if (error instanceof ClientBulkWriteException bulk) {
      for (Map.Entry<Integer, com.mongodb.WriteError> each : bulk.getWriteErrors().entrySet()) {
        actual.append(
            each.getKey().toString(),
            new BsonDocument("code", new BsonInt32(each.getValue().getCode()))
                .append("message", new BsonString(each.getValue().getMessage()))
                .append("details", each.getValue().getDetails()));
      }
    }
    if (!expected.keySet().equals(actual.keySet())) {
      throw new TestFailure(
          "write errors: expected " + Texts.of(expected) + " but was " + Texts.of(actual));
    }
    expected.forEach(
        (index, value) ->
            matching.root(
                "writeErrors." + index, value, Objects.requireNonNull(actual.get(index))));
  }

  private void writeConcernErrors(BsonArray expected, RuntimeException error) {
    List<WriteConcernError> actual =
        error instanceof ClientBulkWriteException bulk ? bulk.getWriteConcernErrors() : List.of();
    if (expected.size() != actual.size()) {
      throw new TestFailure(
          "write concern errors: expected " + Texts.of(expected) + " but was " + actual);
    }
    for (int i = 0; i < actual.size(); i++) {
      WriteConcernError each = actual.get(i);
      matching.root(
          "writeConcernErrors[" + i + "]",
          expected.get(i),
          new BsonDocument("code", new BsonInt32(each.getCode()))
              .append("codeName", new BsonString(each.getCodeName()))
              .append("message", new BsonString(each.getMessage()))
              .append("details", each.getDetails()));
    }
  }

  private static void require(boolean holds, String name, BsonValue value, RuntimeException error) {
    if (!holds) {
      throw new TestFailure(
          "expected " + name + ": " + Texts.of(value) + " but the error was " + error, error);
    }
  }
}
