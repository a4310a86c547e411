// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** {@code getParameter}: the few parameters that a router has; none can be set. */
final class RouterParameters {

  private static final Map<String, BsonValue> ALL =
      new TreeMap<>(
          Map.of(
              "authenticationMechanisms", new BsonArray(),
              "enableTestCommands", BsonBoolean.TRUE,
              "featureCompatibilityVersion", new BsonDocument("version", new BsonString("8.0")),
              "localLogicalSessionTimeoutMinutes", new BsonInt32(30),
              "requireApiVersion", BsonBoolean.FALSE));

  private RouterParameters() {}

  static BsonDocument get(Request request) {
    boolean all =
        request.get("getParameter") instanceof BsonString subject && subject.getValue().equals("*");
    BsonDocument found = new BsonDocument();
    ALL.forEach(
        (name, value) -> {
          if (all || request.has(name)) {
            found.append(name, value);
          }
        });
    if (found.isEmpty()) {
      throw new EngineException(72, "no option found to get");
    }
    return Asking.ok(request, found);
  }
}
