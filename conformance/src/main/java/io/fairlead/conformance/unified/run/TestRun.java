// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Sorts;
import io.fairlead.conformance.unified.entity.ClientEntity;
import io.fairlead.conformance.unified.entity.ClientFactory;
import io.fairlead.conformance.unified.entity.Entities;
import io.fairlead.conformance.unified.entity.EntityMaker;
import io.fairlead.conformance.unified.entity.ThreadEntity;
import io.fairlead.conformance.unified.entity.UnsupportedEntityException;
import io.fairlead.conformance.unified.format.CollectionData;
import io.fairlead.conformance.unified.format.OperationSpec;
import io.fairlead.conformance.unified.format.TestCase;
import io.fairlead.conformance.unified.format.TestFile;
import io.fairlead.conformance.unified.match.Events;
import io.fairlead.conformance.unified.match.Matching;
import io.fairlead.conformance.unified.match.NotInApiException;
import io.fairlead.conformance.unified.match.ObservedEvent;
import io.fairlead.conformance.unified.match.TestFailure;
import io.fairlead.conformance.unified.match.Texts;
import io.fairlead.conformance.unified.operation.Operations;
import io.fairlead.conformance.unified.run.Verdict.Failed;
import io.fairlead.conformance.unified.run.Verdict.Passed;
import io.fairlead.conformance.unified.run.Verdict.Reason;
import io.fairlead.conformance.unified.run.Verdict.Skipped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** One test on one deployment: sets up, runs, compares, cleans up. */
final class TestRun {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration THREADS_DONE = Duration.ofSeconds(10);

  private final TestFile file;
  private final TestCase test;
  private final TestDeployment deployment;
  private final ClientFactory factory;

  TestRun(TestFile file, TestCase test, TestDeployment deployment, ClientFactory factory) {
    this.file = file;
    this.test = test;
    this.deployment = deployment;
    this.factory = factory;
  }

  /** Runs it, and gives up on it when it takes too long. */
  Verdict verdict() throws InterruptedException {
    String skip = test.skipReason();
    if (skip != null) {
      return new Skipped(Reason.DECLARED, skip);
    }
    List<String> unmet = new ArrayList<>(Requirements.unmet(file.runOnRequirements(), deployment));
    unmet.addAll(Requirements.unmet(test.runOnRequirements(), deployment));
    if (!unmet.isEmpty()) {
      return new Skipped(Reason.REQUIREMENT, String.join(", ", unmet));
    }
    if (test.expectsLogMessages() || test.expectsTracing()) {
      return new Skipped(
          Reason.NOT_IN_RUNNER,
          test.expectsLogMessages()
              ? "messages in logs are not compared: their structure is internal to the client"
              : "spans of traces are not compared");
    }
    CompletableFuture<Verdict> verdict = new CompletableFuture<>();
    Thread thread = Thread.ofVirtual().name("unified-test").start(() -> verdict.complete(judged()));
    try {
      return verdict.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      thread.interrupt();
      thread.join(LONGEST);
      return new Failed("not done after " + LONGEST, true);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Verdict judged() {
    try {
      return run();
    } catch (InterruptedException interrupted) {
      return new Failed("interrupted", true);
    } catch (TestFailure failure) {
      return new Failed(String.valueOf(failure.getMessage()));
    } catch (NotInApiException absent) {
      return new Skipped(Reason.NOT_IN_API, String.valueOf(absent.getMessage()));
    } catch (UnsupportedEntityException refused) {
      return new Skipped(Reason.NOT_IN_RUNNER, String.valueOf(refused.getMessage()));
    } catch (RuntimeException | StackOverflowError broken) {
      return new Failed("unexpected: " + broken, true);
    }
  }

  private Verdict run() throws InterruptedException {
    fill();
    try (Entities entities = new Entities()) {
      try {
        EntityMaker maker = new EntityMaker(factory, deployment);
        for (BsonDocument each : file.createEntities()) {
          maker.make(each, entities);
        }
        Matching matching = new Matching(entities);
        Operations operations = new Operations(entities, maker, matching, deployment);
        for (OperationSpec operation : test.operations()) {
          operations.run(operation);
        }
        for (ThreadEntity thread : entities.threads()) {
          thread.await(THREADS_DONE); // what no waitForThread has asked for counts too
        }
        entities.clients().stream().map(ClientEntity::log).forEach(log -> log.stop());
        compareEvents(entities, matching);
      } finally {
        deployment.disableFailPoints();
      }
    } finally {
      if (startsTransaction()) {
        deployment.killAllSessions();
      }
    }
    compareOutcome();
    return new Passed();
  }

  private boolean startsTransaction() {
    return test.operations().stream()
        .anyMatch(
            each ->
                each.name().equals("startTransaction") || each.name().equals("withTransaction"));
  }

  private void fill() {
    for (CollectionData data : file.initialData()) {
      MongoDatabase database = deployment.database(data.database());
      MongoCollection<BsonDocument> collection = Entities.bson(database, data.collection());
      collection.drop();
      BsonDocument options = data.createOptions();
      if (options != null || data.documents().isEmpty()) {
        BsonDocument create = new BsonDocument("create", new BsonString(data.collection()));
        if (options != null) {
          create.putAll(options);
        }
        database.runCommand(create);
      }
      if (!data.documents().isEmpty()) {
        collection.insertMany(data.documents().stream().map(BsonDocument::clone).toList());
      }
    }
  }

  private void compareEvents(Entities entities, Matching matching) {
    Events events = new Events(matching);
    for (BsonDocument expected : test.expectEvents()) {
      String type =
          expected.containsKey("eventType")
              ? expected.getString("eventType").getValue()
              : "command";
      String client = expected.getString("client").getValue();
      events.match(
          expected.getArray("events"),
          entities.client(client).log().events(ObservedEvent.Kind.of(type)),
          expected.containsKey("ignoreExtraEvents")
              && expected.getBoolean("ignoreExtraEvents").getValue());
    }
  }

  private void compareOutcome() {
    for (CollectionData expected : test.outcome()) {
      List<BsonDocument> actual =
          Entities.bson(deployment.database(expected.database()), expected.collection())
              .withReadPreference(ReadPreference.primary())
              .withReadConcern(ReadConcern.LOCAL)
              .find()
              .sort(Sorts.ascending("_id"))
              .into(new ArrayList<>());
      if (!sameDocuments(expected.documents(), actual)) {
        throw new TestFailure(
            "outcome of "
                + expected.collection()
                + ": expected "
                + expected.documents().stream().map(Texts::of).toList()
                + " but was "
                + actual.stream().map(Texts::of).toList());
      }
    }
  }

  /** As sets of fields: their order does not matter. */
  private static boolean sameDocuments(List<BsonDocument> expected, List<BsonDocument> actual) {
    if (expected.size() != actual.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!expected.get(i).entrySet().equals(actual.get(i).entrySet())) {
        return false;
      }
    }
    return true;
  }
}
