// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The {@code data} of a {@code failCommand} fail point: which commands it wants and what it does to
 * them. Immutable.
 *
 * <p>A field that is not known is refused, since a test that believes in a fail point which does
 * less proves nothing.
 */
record FailCommand(
    Set<String> commands,
    boolean allCommands,
    boolean internalCommands,
    @Nullable String appName,
    @Nullable String threadName,
    @Nullable String namespace,
    Effect effect) {

  /** The longest wait that {@code blockTimeMS} may ask for: one hour. */
  static final long BLOCK_MILLIS_MAX = 3_600_000;

  boolean wants(CommandFacts facts) {
    if (facts.command().equals("configureFailPoint")
        || (facts.internalClient() && !internalCommands)) {
      return false;
    }
    return (allCommands || commands.contains(facts.command()))
        && (appName == null || appName.equals(facts.applicationName()))
        && (threadName == null || threadName.equals(facts.threadName()))
        && (namespace == null || namespace.equals(facts.namespace()));
  }

  static FailCommand parse(BsonDocument data) {
    Set<String> commands = new HashSet<>();
    boolean all = false;
    boolean internal = false;
    String appName = null;
    String threadName = null;
    String namespace = null;
    boolean close = false;
    boolean block = false;
    Long blockMillis = null;
    Integer errorCode = null;
    BsonDocument extraInfo = new BsonDocument();
    List<String> labels = null;
    BsonDocument writeConcernError = null;

    for (var field : data.entrySet()) {
      String name = field.getKey();
      BsonValue value = field.getValue();
      switch (name) {
        case "failCommands" -> commands.addAll(strings(name, value));
        case "failAllCommands" -> all = bool(name, value);
        case "failInternalCommands" -> internal = bool(name, value);
        case "appName" -> appName = string(name, value);
        case "threadName" -> threadName = string(name, value);
        case "namespace" -> namespace = string(name, value);
        case "closeConnection" -> close = bool(name, value);
        case "blockConnection" -> block = bool(name, value);
        case "blockTimeMS" -> blockMillis = number(name, value);
        case "errorCode" -> errorCode = Math.toIntExact(number(name, value));
        case "errorExtraInfo" -> extraInfo = document(name, value);
        case "errorLabels" -> labels = strings(name, value);
        case "writeConcernError" -> writeConcernError = document(name, value);
        default ->
            throw FailPointException.badValue(
                "failCommand does not know the field 'data." + name + "'");
      }
    }
    if (commands.isEmpty() && !all) {
      throw FailPointException.badValue(
          "failCommand needs 'data.failCommands', a list of command names");
    }
    if (block && blockMillis == null) {
      throw FailPointException.badValue(
          "'blockTimeMS' must be specified when 'blockConnection' is true");
    }
    if (blockMillis != null && (blockMillis < 0 || blockMillis > BLOCK_MILLIS_MAX)) {
      throw FailPointException.badValue(
          "'blockTimeMS' must be 0 to " + BLOCK_MILLIS_MAX + ", was " + blockMillis);
    }
    if (writeConcernError != null && (close || errorCode != null)) {
      throw FailPointException.badValue(
          "'writeConcernError' needs a command that runs, so it goes with neither 'errorCode' nor"
              + " 'closeConnection'");
    }
    Duration wait = block && blockMillis != null ? Duration.ofMillis(blockMillis) : Duration.ZERO;
    Effect.Outcome outcome = outcome(close, errorCode, extraInfo, writeConcernError);
    if (labels != null) {
      labels = List.copyOf(labels);
    }
    Effect effect = new Effect(wait, outcome, labels);
    return new FailCommand(
        Set.copyOf(commands), all, internal, appName, threadName, namespace, effect);
  }

  private static Effect.Outcome outcome(
      boolean close,
      @Nullable Integer errorCode,
      BsonDocument extraInfo,
      @Nullable BsonDocument writeConcernError) {
    if (close) {
      return new Effect.CloseConnection();
    }
    if (errorCode != null) {
      return new Effect.Fail(errorCode, "Failing command via 'failCommand' failpoint", extraInfo);
    }
    if (writeConcernError != null) {
      return new Effect.AddWriteConcernError(writeConcernError);
    }
    return new Effect.Proceed();
  }

  private static boolean bool(String name, BsonValue value) {
    if (value.isBoolean()) {
      return value.asBoolean().getValue();
    }
    if (value.isNumber()) {
      return value.asNumber().doubleValue() != 0;
    }
    throw wrongType(name, value, "boolean");
  }

  private static String string(String name, BsonValue value) {
    if (!value.isString()) {
      throw wrongType(name, value, "string");
    }
    return value.asString().getValue();
  }

  private static long number(String name, BsonValue value) {
    if (!value.isNumber()) {
      throw wrongType(name, value, "number");
    }
    long number = value.asNumber().longValue();
    if (number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
      throw FailPointException.badValue("'data." + name + "' is out of range: " + number);
    }
    return number;
  }

  private static BsonDocument document(String name, BsonValue value) {
    if (!value.isDocument()) {
      throw wrongType(name, value, "object");
    }
    return value.asDocument();
  }

  private static List<String> strings(String name, BsonValue value) {
    if (!value.isArray()) {
      throw wrongType(name, value, "array of strings");
    }
    BsonArray array = value.asArray();
    List<String> strings = new ArrayList<>(array.size());
    for (BsonValue element : array) {
      strings.add(string(name, element));
    }
    return strings;
  }

  private static FailPointException wrongType(String name, BsonValue value, String wanted) {
    return FailPointException.typeMismatch(
        "'data."
            + name
            + "' of failCommand must be of type "
            + wanted
            + ", was "
            + value.getBsonType());
  }
}
