// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.sickrouter;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a router can be sick while it answers {@code hello} well, in the order of the
 * demonstration: {@link #SHUTDOWN} is the last, since the demonstration waits at its end for the
 * routers to be back in the traffic, and this one is the soonest.
 */
enum Sickness {
  HEALTHY("none", 0, null, false, Failures.NONE),
  HEALTHY_SLOW("none, all need 5 ms", 0, null, true, Failures.NONE),
  UNREACHABLE_LABELLED("6 with label", 1, error(6, "RetryableWriteError"), false, Failures.NONE),
  UNREACHABLE("6 without label", 1, errorWithoutLabel(6), false, Failures.OF_WRITES),
  UNSATISFIABLE("133", 1, errorWithoutLabel(133), false, Failures.OF_BOTH),
  FAST_FAILURE("8000 at once, others 5 ms", 1, errorWithoutLabel(8000), true, Failures.OF_BOTH),
  CLOSES("closes the connection", 1, "{closeConnection: true}", false, Failures.NONE),
  TWO_UNSATISFIABLE("two of three: 133", 2, errorWithoutLabel(133), false, Failures.OF_BOTH),
  HANGS("hangs 2 s", 1, block(2_000), false, Failures.NONE),
  SHUTDOWN("91, label on writes", 1, error(91), false, Failures.NONE);

  /**
   * What the specification does not let a client retry, so that it may fail until the router is
   * left out.
   */
  enum Failures {
    NONE,
    OF_WRITES,
    OF_BOTH
  }

  private static final List<String> CRUD =
      List.of(
          "find",
          "insert",
          "update",
          "delete",
          "aggregate",
          "count",
          "distinct",
          "findAndModify",
          "getMore");

  private static final int OTHERS_NEED_MILLIS = 5;

  private final String label;
  private final int sickRouters;

  /** The fail point's data in JSON. */
  private final @Nullable String effect;

  private final boolean othersSlow;
  private final Failures withoutOption;

  Sickness(
      String label,
      int sickRouters,
      @Nullable String effect,
      boolean othersSlow,
      Failures withoutOption) {
    this.label = label;
    this.sickRouters = sickRouters;
    this.effect = effect;
    this.othersSlow = othersSlow;
    this.withoutOption = withoutOption;
  }

  String label() {
    return label;
  }

  int sickRouters() {
    return sickRouters;
  }

  boolean isHealthy() {
    return effect == null;
  }

  /** The healthy run to compare with: the one in which the good routers are as quick. */
  Sickness reference() {
    return othersSlow ? HEALTHY_SLOW : HEALTHY;
  }

  boolean readsMayFail() {
    return withoutOption == Failures.OF_BOTH;
  }

  boolean writesMayFail() {
    return withoutOption != Failures.NONE;
  }

  /** The fail point command for a sick router, for the commands of one client. */
  BsonDocument sick(String appName) {
    BsonDocument sick = BsonDocument.parse(effect == null ? "{}" : effect);
    return failPoint(sick, appName);
  }

  /** The fail point command for the other routers; null when they are to be left alone. */
  @Nullable BsonDocument others(String appName) {
    return othersSlow ? failPoint(BsonDocument.parse(block(OTHERS_NEED_MILLIS)), appName) : null;
  }

  /** Ends any of them. */
  static BsonDocument off() {
    return new BsonDocument("configureFailPoint", new BsonString("failCommand"))
        .append("mode", new BsonString("off"));
  }

  private static BsonDocument failPoint(BsonDocument effect, String appName) {
    BsonArray commands = new BsonArray();
    CRUD.forEach(command -> commands.add(new BsonString(command)));
    BsonDocument data =
        new BsonDocument("failCommands", commands).append("appName", new BsonString(appName));
    data.putAll(effect);
    return new BsonDocument("configureFailPoint", new BsonString("failCommand"))
        .append("mode", new BsonString("alwaysOn"))
        .append("data", data);
  }

  /** With the labels that MongoDB itself would add. */
  private static String error(int code) {
    return "{errorCode: " + code + "}";
  }

  /** With exactly this label. */
  private static String error(int code, String label) {
    return "{errorCode: " + code + ", errorLabels: ['" + label + "']}";
  }

  private static String errorWithoutLabel(int code) {
    return "{errorCode: " + code + ", errorLabels: []}";
  }

  private static String block(int millis) {
    return "{blockConnection: true, blockTimeMS: " + millis + "}";
  }
}
