// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.client.ClientSession;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.Scope;
import io.fairlead.topology.readpreference.OperationKind;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What an iterable is about.
 *
 * @param namespace the collection; its name is not looked at by what concerns a whole database
 * @param documentClass how the collection's own class enters filters and pipelines
 * @param session the application's session; null: an implicit one
 */
public record Target(
    Scope scope,
    MongoNamespace namespace,
    Class<?> documentClass,
    @Nullable ClientSession session) {

  CommandBody command(String name) {
    return CommandBody.of(name, namespace.getCollectionName(), documentClass, scope.codecs());
  }

  CommandBody databaseCommand(String name) {
    return CommandBody.of(name, documentClass, scope.codecs());
  }

  String database() {
    return namespace.getDatabaseName();
  }

  @Nullable Session openSession() {
    return scope.deployment().session(session);
  }

  /** Starts an operation on the database in this session, after what the session has seen. */
  Operation.Builder operation(RawBsonDocument command, OperationKind kind) {
    return scope.operation(database(), command, kind).session(openSession()).afterClusterTime(true);
  }

  CommandResult execute(Operation.Builder operation) {
    return scope.deployment().execute(operation.build());
  }

  /** For what the server answers without regard to a read concern, and refuses with one. */
  Target withoutReadConcern() {
    return new Target(
        scope.withReadConcern(ReadConcern.DEFAULT), namespace, documentClass, session);
  }

  Target of(MongoNamespace other) {
    return new Target(scope, other, documentClass, session);
  }
}
