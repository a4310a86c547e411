// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.router.bytes.Elements;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** What a client that declares {@code apiVersion} may ask of a router. */
final class StableApi {

  private static final String DEPRECATED = "testDeprecation";

  private static final Set<String> COMMANDS =
      Set.of(
          "aggregate",
          "bulkWrite",
          "collMod",
          "connectionStatus",
          "count",
          "create",
          "createIndexes",
          "delete",
          "drop",
          "dropDatabase",
          "dropIndexes",
          "endSessions",
          "explain",
          "find",
          "findAndModify",
          "findandmodify",
          "getMore",
          "hello",
          "insert",
          "isMaster",
          "ismaster",
          "killCursors",
          "listCollections",
          "listDatabases",
          "listIndexes",
          "ping",
          "refreshSessions",
          "update",
          DEPRECATED);

  private StableApi() {}

  /**
   * Refuses what the declared version does not have.
   *
   * @throws EngineException 322 for another version than "1", 4886600 for a wish without a version,
   *     323 for a command outside of it under {@code apiStrict}, 324 for a deprecated one under
   *     {@code apiDeprecationErrors}
   */
  static void require(Request request) {
    if (!declares(request.body())) {
      return;
    }
    BsonValue version = request.get("apiVersion");
    boolean strict = request.flag("apiStrict");
    boolean deprecationErrors = request.flag("apiDeprecationErrors");
    if (version == null) {
      if (strict || deprecationErrors) {
        throw new EngineException(
            4886600, "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
      }
      return;
    }
    if (!(version instanceof BsonString text && text.getValue().equals("1"))) {
      throw new EngineException(322, "API version must be \"1\"");
    }
    if (strict && !COMMANDS.contains(request.name())) {
      throw new EngineException(
          323,
          "Provided apiStrict:true, but the command "
              + request.name()
              + " is not in API Version 1. Information on supported commands and migrations in API"
              + " Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api");
    }
    if (deprecationErrors && request.name().equals(DEPRECATED)) {
      throw new EngineException(
          324,
          "Provided apiDeprecationErrors:true, but the command "
              + request.name()
              + " is deprecated in API Version 1.");
    }
  }

  private static boolean declares(RawBsonDocument body) {
    Elements fields = Elements.of(body);
    while (fields.next()) {
      if (fields.isNamed("apiVersion")
          || fields.isNamed("apiStrict")
          || fields.isNamed("apiDeprecationErrors")) {
        return true;
      }
    }
    return false;
  }

  /** {@code testVersion2} and {@code testDeprecation}, by which clients test what is refused. */
  static BsonDocument test(Request request) {
    return ServerCommands.nothing(request);
  }
}
