// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import io.fairlead.conformance.unified.entity.ClientEntity;
import io.fairlead.conformance.unified.entity.Entities;
import io.fairlead.conformance.unified.entity.EntityMaker;
import io.fairlead.conformance.unified.entity.EventLog;
import io.fairlead.conformance.unified.entity.UnsupportedEntityException;
import io.fairlead.conformance.unified.format.OperationSpec;
import io.fairlead.conformance.unified.match.Events;
import io.fairlead.conformance.unified.match.Matching;
import io.fairlead.conformance.unified.match.ObservedEvent;
import io.fairlead.conformance.unified.match.TestFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Operations of the object {@code testRunner}. */
final class RunnerOperations {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int NAMESPACE_NOT_FOUND = 26;

  private final Entities entities;
  private final EntityMaker maker;
  private final Events events;
  private final Surroundings surroundings;
  private final Operations operations;

  RunnerOperations(
      Entities entities,
      EntityMaker maker,
      Matching matching,
      Surroundings surroundings,
      Operations operations) {
    this.entities = entities;
    this.maker = maker;
    this.events = new Events(matching);
    this.surroundings = surroundings;
    this.operations = operations;
  }

  Prepared prepare(String name, Args args) {
    return switch (name) {
      case "failPoint" -> failPoint(args);
      case "targetedFailPoint" -> targetedFailPoint(args);
      case "createEntities" -> createEntities(args);
      case "runOnThread" -> runOnThread(args);
      case "waitForThread" -> waitForThread(args);
      case "wait" -> pause(args);
      case "waitForEvent" -> waitForEvent(args);
      case "assertEventCount" -> assertEventCount(args);
      case "assertNumberConnectionsCheckedOut" -> assertCheckedOut(args);
      case "assertSameLsidOnLastTwoCommands" -> assertLastTwoLsids(args, true);
      case "assertDifferentLsidOnLastTwoCommands" -> assertLastTwoLsids(args, false);
      case "assertSessionDirty" -> assertDirty(args, true);
      case "assertSessionNotDirty" -> assertDirty(args, false);
      case "assertSessionPinned" -> assertPinned(args, true);
      case "assertSessionUnpinned" -> assertPinned(args, false);
      case "assertSessionTransactionState" -> assertTransactionState(args);
      case "assertCollectionExists" -> assertCollection(args, true);
      case "assertCollectionNotExists" -> assertCollection(args, false);
      case "assertIndexExists" -> assertIndex(args, true);
      case "assertIndexNotExists" -> assertIndex(args, false);
      case "recordTopologyDescription" -> recordTopology(args);
      case "assertTopologyType" -> assertTopologyType(args);
      case "waitForPrimaryChange" -> waitForPrimaryChange(args);
      case "loop" ->
          throw new UnsupportedEntityException(
              "the operation loop left the format with schema version 1.24");
      default -> throw new TestFailure("the runner has no operation " + name);
    };
  }

  private Prepared failPoint(Args args) {
    MongoClient client = client(args).client();
    BsonDocument failPoint = args.document("failPoint");
    return Prepared.nothing(
        () -> {
          client.getDatabase("admin").runCommand(failPoint);
          surroundings.failPointSet(name(failPoint), null);
        });
  }

  private Prepared targetedFailPoint(Args args) {
    ClientSession session = session(args);
    BsonDocument failPoint = args.document("failPoint");
    return Prepared.nothing(
        () -> {
          ServerAddress pinned =
              present(session.getPinnedServerAddress(), "the session is not pinned to a router");
          surroundings.runOn(pinned, failPoint);
          surroundings.failPointSet(name(failPoint), pinned);
        });
  }

  private static String name(BsonDocument failPoint) {
    return failPoint.getString("configureFailPoint").getValue();
  }

  private Prepared createEntities(Args args) {
    List<BsonDocument> described = args.documents("entities");
    return () -> {
      for (BsonDocument each : described) {
        maker.make(each, entities);
      }
      return Outcome.NOTHING;
    };
  }

  private Prepared runOnThread(Args args) {
    String thread = args.text("thread");
    OperationSpec operation = OperationSpec.parse(args.required("operation"));
    return Prepared.nothing(() -> entities.thread(thread).run(() -> onThread(operation)));
  }

  private void onThread(OperationSpec operation) {
    try {
      operations.run(operation);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new TestFailure("interrupted", interrupted);
    }
  }

  private Prepared waitForThread(Args args) {
    String thread = args.text("thread");
    return () -> {
      entities.thread(thread).await(PATIENCE);
      return Outcome.NOTHING;
    };
  }

  private static Prepared pause(Args args) {
    long millis = args.number("ms");
    return () -> {
      TimeUnit.MILLISECONDS.sleep(millis);
      return Outcome.NOTHING;
    };
  }

  private Prepared waitForEvent(Args args) {
    ClientEntity client = client(args);
    BsonDocument event = args.document("event");
    long count = args.number("count");
    return () -> {
      check(
          client.log().await(like(event), count, PATIENCE),
          count + " times " + event.toJson() + " were not observed within " + PATIENCE);
      return Outcome.NOTHING;
    };
  }

  private Prepared assertEventCount(Args args) {
    ClientEntity client = client(args);
    BsonDocument event = args.document("event");
    long count = args.number("count");
    return Prepared.nothing(
        () -> {
          long observed = client.log().count(like(event));
          check(
              observed == count,
              "observed " + event.toJson() + " " + observed + " times instead of " + count);
        });
  }

  private Predicate<ObservedEvent> like(BsonDocument event) {
    return observed -> events.matches(event, observed);
  }

  private Prepared assertCheckedOut(Args args) {
    ClientEntity client = client(args);
    long expected = args.number("connections");
    return Prepared.nothing(
        () ->
            check(
                client.log().checkedOut() == expected,
                client.log().checkedOut() + " connections are lent, expected " + expected));
  }

  private Prepared assertLastTwoLsids(Args args, boolean same) {
    ClientEntity client = client(args);
    return Prepared.nothing(
        () -> {
          List<BsonDocument> commands = client.log().startedCommands();
          check(commands.size() >= 2, "there were fewer than two commands");
          BsonValue last = present(commands.getLast().get("lsid"), "a command had no lsid");
          BsonValue before =
              present(commands.get(commands.size() - 2).get("lsid"), "a command had no lsid");
          check(same == last.equals(before), "the last two lsids are " + before + " and " + last);
        });
  }

  private Prepared assertDirty(Args args, boolean dirty) {
    ClientSession session = session(args);
    return Prepared.nothing(
        () ->
            check(
                session.getServerSession().isMarkedDirty() == dirty,
                "the session is " + (dirty ? "not " : "") + "dirty"));
  }

  private Prepared assertPinned(Args args, boolean pinned) {
    ClientSession session = session(args);
    return Prepared.nothing(
        () ->
            check(
                (session.getPinnedServerAddress() != null) == pinned,
                "the session is pinned to " + session.getPinnedServerAddress()));
  }

  /** The client's interface tells whether there is an active transaction, no more. */
  private Prepared assertTransactionState(Args args) {
    ClientSession session = session(args);
    boolean active =
        switch (args.text("state")) {
          case "starting", "in_progress" -> true;
          case "none", "committed", "aborted" -> false;
          default -> throw new TestFailure("unknown state of a transaction");
        };
    return Prepared.nothing(
        () ->
            check(
                session.hasActiveTransaction() == active,
                "the transaction is " + (active ? "not " : "") + "active"));
  }

  private Prepared assertCollection(Args args, boolean exists) {
    String database = args.text("databaseName");
    String collection = args.text("collectionName");
    return Prepared.nothing(
        () -> {
          boolean found = false;
          for (String each : surroundings.internal().getDatabase(database).listCollectionNames()) {
            found |= each.equals(collection);
          }
          check(
              found == exists,
              database + "." + collection + (exists ? " does not exist" : " exists"));
        });
  }

  private Prepared assertIndex(Args args, boolean exists) {
    String database = args.text("databaseName");
    String collection = args.text("collectionName");
    String index = args.text("indexName");
    return Prepared.nothing(
        () ->
            check(
                hasIndex(database, collection, index) == exists,
                "the index " + index + (exists ? " does not exist" : " exists")));
  }

  private boolean hasIndex(String database, String collection, String index) {
    try {
      for (Document each :
          surroundings.internal().getDatabase(database).getCollection(collection).listIndexes()) {
        if (index.equals(each.getString("name"))) {
          return true;
        }
      }
      return false;
    } catch (MongoCommandException failure) {
      if (failure.getErrorCode() == NAMESPACE_NOT_FOUND) {
        return false;
      }
      throw failure;
    }
  }

  private Prepared recordTopology(Args args) {
    ClientEntity client = client(args);
    String id = args.text("id");
    return Prepared.nothing(
        () -> {
          entities.add(id, present(client.log().topology(), "the client has told no topology yet"));
        });
  }

  private Prepared assertTopologyType(Args args) {
    ClusterDescription topology = entities.topology(args.text("topologyDescription"));
    String expected = args.text("topologyType");
    return Prepared.nothing(
        () ->
            check(
                EventLog.topologyType(topology).equals(expected),
                "the topology is " + EventLog.topologyType(topology)));
  }

  private Prepared waitForPrimaryChange(Args args) {
    ClientEntity client = client(args);
    Optional<ServerAddress> before =
        primary(entities.topology(args.text("priorTopologyDescription")));
    @Nullable BsonValue timeout = args.get("timeoutMS");
    Duration atMost =
        timeout == null ? PATIENCE : Duration.ofMillis(timeout.asNumber().longValue());
    return () -> {
      check(
          client
              .log()
              .awaitTopology(
                  now -> primary(now).isPresent() && !primary(now).equals(before), atMost),
          "the primary has not changed within " + atMost);
      return Outcome.NOTHING;
    };
  }

  private static Optional<ServerAddress> primary(ClusterDescription topology) {
    return topology.getServerDescriptions().stream()
        .filter(ServerDescription::isPrimary)
        .map(ServerDescription::getAddress)
        .findFirst();
  }

  private ClientEntity client(Args args) {
    return entities.client(args.text("client"));
  }

  private ClientSession session(Args args) {
    return entities.session(args.text("session")).session();
  }

  private static <T> T present(@Nullable T value, String otherwise) {
    if (value == null) {
      throw new TestFailure(otherwise);
    }
    return value;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new TestFailure(otherwise);
    }
  }
}
