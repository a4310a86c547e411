// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.diagnostics;

import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.GenericArguments;
import io.fairlead.server.command.ServerParts;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code getParameter} and {@code setParameter}: the few parameters that exist; those of the TTL
 * monitor can be set at runtime.
 */
final class Parameters {
  private static final TreeMap<String, Function<ServerParts, BsonValue>> ALL =
      new TreeMap<>(
          Map.of(
              "requireApiVersion",
              server -> BsonBoolean.FALSE,
              "ttlMonitorEnabled",
              server -> BsonBoolean.valueOf(server.ttl().isEnabled()),
              "ttlMonitorSleepSecs",
              server -> new BsonInt32(Math.toIntExact(server.ttl().pause().toSeconds())),
              "authenticationMechanisms",
              server -> new BsonArray(),
              "connectionsMax",
              server -> new BsonInt32(server.settings().connectionsMax()),
              "cursorTimeoutMillis",
              server -> new BsonInt64(server.settings().cursorTimeout().toMillis()),
              "enableTestCommands",
              server -> BsonBoolean.TRUE,
              "failpoint.failCommand",
              server -> server.failPoints().describe(),
              "featureCompatibilityVersion",
              server -> new BsonDocument("version", new BsonString("8.0")),
              "localLogicalSessionTimeoutMinutes",
              server ->
                  new BsonInt32(Math.toIntExact(server.settings().sessionTimeout().toMinutes()))));

  private Parameters() {}

  static BsonDocument get(CommandContext context) {
    BsonDocument reply = new BsonDocument();
    BsonValue subject = context.subject();
    boolean all = subject.isString() && subject.asString().getValue().equals("*");
    for (var parameter : ALL.entrySet()) {
      if (all || context.get(parameter.getKey()) != null) {
        reply.append(parameter.getKey(), parameter.getValue().apply(context.server()));
      }
    }
    if (reply.isEmpty()) {
      throw Failures.of(72, "no option found to get");
    }
    return reply;
  }

  static BsonDocument set(CommandContext context) {
    BsonDocument reply = new BsonDocument();
    for (var given : context.body().entrySet()) {
      String name = given.getKey();
      if (name.equals(context.body().getFirstKey()) || GenericArguments.isGeneric(name)) {
        continue;
      }
      Function<ServerParts, BsonValue> known = ALL.get(name);
      if (known == null) {
        throw Failures.of(
            72,
            "attempted to set unrecognized parameter ["
                + name
                + "], use help:true to see options ");
      }
      BsonValue was = known.apply(context.server());
      set(context.server(), name, given.getValue());
      reply.append("was", was);
    }
    if (reply.isEmpty()) {
      throw Failures.of(72, "no option found to set, use help:true to see options ");
    }
    return reply;
  }

  private static void set(ServerParts server, String name, BsonValue value) {
    switch (name) {
      case "ttlMonitorEnabled" -> server.ttl().setEnabled(Arguments.bool(name, value));
      case "ttlMonitorSleepSecs" -> {
        long seconds = Arguments.integer(name, value);
        if (seconds < 1 || seconds > Integer.MAX_VALUE) {
          throw Failures.of(
              2, "Invalid value for parameter " + name + ": " + seconds + " is not greater than 0");
        }
        server.ttl().setPause(Duration.ofSeconds(seconds));
      }
      default -> throw Failures.of(20, "not allowed to change [" + name + "] at runtime");
    }
  }
}
