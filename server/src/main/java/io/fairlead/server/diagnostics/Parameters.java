// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.diagnostics;

import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.GenericArguments;
import io.fairlead.server.command.ServerParts;
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
 * {@code getParameter} and {@code setParameter}: the few parameters that exist, none of which can
 * be set at runtime.
 */
final class Parameters {
  private static final TreeMap<String, Function<ServerParts, BsonValue>> ALL =
      new TreeMap<>(
          Map.of(
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
    for (String name : context.body().keySet()) {
      if (name.equals(context.body().getFirstKey()) || GenericArguments.isGeneric(name)) {
        continue;
      }
      if (ALL.containsKey(name)) {
        throw Failures.of(20, "not allowed to change [" + name + "] at runtime");
      }
      throw Failures.of(
          72,
          "attempted to set unrecognized parameter [" + name + "], use help:true to see options ");
    }
    throw Failures.of(72, "no option found to set, use help:true to see options ");
  }
}
