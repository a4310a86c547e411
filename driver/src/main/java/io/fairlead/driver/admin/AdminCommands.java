// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.admin;

import com.mongodb.MongoCommandException;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.Replies;
import io.fairlead.driver.command.Scope;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Runs commands that change more than documents. They are never sent twice. */
final class AdminCommands {
  private AdminCommands() {}

  /**
   * @throws com.mongodb.MongoWriteConcernException if it was done but did not reach its write
   *     concern
   */
  static CommandResult run(
      Scope scope, String database, RawBsonDocument command, @Nullable Session session) {
    return Replies.requireWriteConcern(
        scope
            .deployment()
            .execute(
                scope.write(database, command).session(session).afterClusterTime(true).build()));
  }

  /** Runs a command for which a missing collection is as good as one dropped. */
  static void runUnlessMissing(
      Scope scope, String database, RawBsonDocument command, @Nullable Session session) {
    try {
      run(scope, database, command, session);
    } catch (MongoCommandException e) {
      if (!Replies.isNamespaceNotFound(e)) {
        throw e;
      }
    }
  }
}
