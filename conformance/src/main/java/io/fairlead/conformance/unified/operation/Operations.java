// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.gridfs.GridFSBucket;
import io.fairlead.conformance.unified.entity.ClientEntity;
import io.fairlead.conformance.unified.entity.Entities;
import io.fairlead.conformance.unified.entity.EntityMaker;
import io.fairlead.conformance.unified.entity.SessionEntity;
import io.fairlead.conformance.unified.entity.UnsupportedEntityException;
import io.fairlead.conformance.unified.format.OperationSpec;
import io.fairlead.conformance.unified.match.Errors;
import io.fairlead.conformance.unified.match.Matching;
import io.fairlead.conformance.unified.match.NotInApiException;
import io.fairlead.conformance.unified.match.TestFailure;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operations of one test: finds what to do, reads the arguments, does it, and compares
 * what came with what was expected.
 */
public final class Operations {
  private final Entities entities;
  private final Matching matching;
  private final Errors errors;
  private final RunnerOperations special;

  public Operations(
      Entities entities, EntityMaker maker, Matching matching, Surroundings surroundings) {
    this.entities = entities;
    this.matching = matching;
    this.errors = new Errors(matching);
    this.special = new RunnerOperations(entities, maker, matching, surroundings, this);
  }

  /**
   * Runs an operation.
   *
   * @throws TestFailure when it did not go as expected
   */
  public void run(OperationSpec operation) throws InterruptedException {
    execute(operation);
  }

  /** As {@link #run}, and what the client threw goes on to the caller, expected or not. */
  void runInCallback(OperationSpec operation) {
    RuntimeException thrown;
    try {
      thrown = execute(operation);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new TestFailure("interrupted", interrupted);
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  private @Nullable RuntimeException execute(OperationSpec operation) throws InterruptedException {
    Outcome outcome = Outcome.NOTHING;
    RuntimeException thrown = null;
    Prepared prepared = prepared(operation);
    try {
      outcome = prepared.run();
    } catch (TestFailure | NotInApiException | UnsupportedEntityException runners) {
      throw runners;
    } catch (RuntimeException clients) {
      thrown = clients;
    }
    if (!operation.ignoreResultAndError()) {
      judge(operation, outcome, thrown);
    }
    return thrown;
  }

  /** What goes wrong here is this runner's fault, and no error that a test could expect. */
  private Prepared prepared(OperationSpec operation) {
    Args args = new Args(operation.arguments(), entities);
    Prepared prepared;
    try {
      prepared = prepare(operation, args);
    } catch (TestFailure | NotInApiException | UnsupportedEntityException told) {
      throw told;
    } catch (RuntimeException ours) {
      throw new TestFailure(operation.name() + " could not be prepared: " + ours, ours);
    }
    args.requireAllRead();
    return prepared;
  }

  private void judge(OperationSpec operation, Outcome outcome, @Nullable RuntimeException thrown) {
    BsonDocument expectError = operation.expectError();
    if (expectError != null) {
      if (thrown == null) {
        throw new TestFailure(operation.name() + " should have failed");
      }
      errors.match(expectError, thrown);
      return;
    }
    if (thrown != null) {
      throw new TestFailure(operation.name() + " failed: " + thrown, thrown);
    }
    if (operation.expectResult() != null) {
      matching.result(operation.expectResult(), outcome.value(), outcome.ofDocuments());
    }
    if (operation.saveResultAsEntity() != null) {
      Object result = outcome.handle() == null ? outcome.value() : outcome.handle();
      if (result == null) {
        throw new TestFailure(operation.name() + " gave nothing that could be saved");
      }
      entities.add(operation.saveResultAsEntity(), result);
    }
  }

  private Prepared prepare(OperationSpec operation, Args args) {
    String name = operation.name();
    if (operation.object().equals("testRunner")) {
      return special.prepare(name, args);
    }
    return switch (entities.get(operation.object())) {
      case ClientEntity client -> ClientOperations.prepare(name, client.client(), args);
      case MongoDatabase database -> DatabaseOperations.prepare(name, database, args);
      case MongoCollection<?> collection ->
          collection(name, collection.withDocumentClass(BsonDocument.class), args);
      case SessionEntity session -> SessionOperations.prepare(name, session, args, this);
      case GridFSBucket bucket -> BucketOperations.prepare(name, bucket, args);
      case MongoCursor<?> cursor -> CursorOperations.prepare(name, cursor);
      default -> throw new TestFailure(operation.object() + " has no operations");
    };
  }

  private static Prepared collection(
      String name, MongoCollection<BsonDocument> collection, Args args) {
    return switch (name) {
      case "aggregate" -> CollectionReads.aggregate(collection, args);
      case "bulkWrite" -> CollectionWrites.bulkWrite(collection, args);
      case "countDocuments" -> CollectionReads.countDocuments(collection, args);
      case "createChangeStream" -> CollectionReads.createChangeStream(collection, args);
      case "createFindCursor" -> CollectionReads.createFindCursor(collection, args);
      case "createIndex" -> CollectionAdmin.createIndex(collection, args);
      case "createSearchIndex" -> CollectionAdmin.createSearchIndex(collection, args);
      case "createSearchIndexes" -> CollectionAdmin.createSearchIndexes(collection, args);
      case "deleteMany" -> CollectionWrites.delete(collection, args, true);
      case "deleteOne" -> CollectionWrites.delete(collection, args, false);
      case "distinct" -> CollectionReads.distinct(collection, args);
      case "drop" -> CollectionAdmin.drop(collection, args);
      case "dropIndex" -> CollectionAdmin.dropIndex(collection, args);
      case "dropIndexes" -> CollectionAdmin.dropIndexes(collection, args);
      case "dropSearchIndex" -> CollectionAdmin.dropSearchIndex(collection, args);
      case "estimatedDocumentCount" -> CollectionReads.estimatedDocumentCount(collection, args);
      case "find" -> CollectionReads.find(collection, args);
      case "findOne" -> CollectionReads.findOne(collection, args);
      case "findOneAndDelete" -> CollectionWrites.findOneAndDelete(collection, args);
      case "findOneAndReplace" -> CollectionWrites.findOneAndReplace(collection, args);
      case "findOneAndUpdate" -> CollectionWrites.findOneAndUpdate(collection, args);
      case "insertMany" -> CollectionWrites.insertMany(collection, args);
      case "insertOne" -> CollectionWrites.insertOne(collection, args);
      case "listIndexes" -> CollectionReads.listIndexes(collection, args);
      case "listIndexNames" -> CollectionReads.listIndexNames(collection, args);
      case "listSearchIndexes" -> CollectionAdmin.listSearchIndexes(collection, args);
      case "mapReduce" -> CollectionReads.mapReduce(collection, args);
      case "rename" -> CollectionAdmin.rename(collection, args);
      case "replaceOne" -> CollectionWrites.replaceOne(collection, args);
      case "updateMany" -> CollectionWrites.update(collection, args, true);
      case "updateOne" -> CollectionWrites.update(collection, args, false);
      case "updateSearchIndex" -> CollectionAdmin.updateSearchIndex(collection, args);
      case "count" -> throw new NotInApiException("the operation count");
      default -> throw new TestFailure("a collection has no operation " + name);
    };
  }
}
