// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import com.mongodb.MongoNamespace;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import com.mongodb.client.model.bulk.ClientDeleteManyOptions;
import com.mongodb.client.model.bulk.ClientDeleteOneOptions;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import com.mongodb.client.model.bulk.ClientReplaceOneOptions;
import com.mongodb.client.model.bulk.ClientUpdateManyOptions;
import com.mongodb.client.model.bulk.ClientUpdateOneOptions;
import io.fairlead.conformance.unified.entity.Entities;
import io.fairlead.conformance.unified.match.TestFailure;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The single writes of a bulk write. */
final class WriteModels {
  private WriteModels() {}

  static WriteModel<BsonDocument> of(BsonDocument request, Entities entities) {
    String kind = kind(request);
    Args args = new Args(request.getDocument(kind), entities);
    WriteModel<BsonDocument> model = model(kind, args);
    args.requireAllRead();
    return model;
  }

  /** A write has one field, which names its kind. */
  private static String kind(BsonDocument request) {
    if (request.size() != 1) {
      throw new TestFailure("a write must have one field, and has " + request.keySet());
    }
    return request.getFirstKey();
  }

  private static WriteModel<BsonDocument> model(String kind, Args args) {
    return switch (kind) {
      case "insertOne" -> new InsertOneModel<>(args.document("document").clone());
      case "updateOne" -> {
        BsonValue update = args.required("update");
        BsonDocument filter = args.document("filter");
        yield update.isArray()
            ? new UpdateOneModel<>(
                filter, CollectionWrites.pipeline(update), CollectionWrites.updateOptions(args))
            : new UpdateOneModel<>(
                filter, update.asDocument(), CollectionWrites.updateOptions(args));
      }
      case "updateMany" -> {
        BsonValue update = args.required("update");
        BsonDocument filter = args.document("filter");
        yield update.isArray()
            ? new UpdateManyModel<>(
                filter, CollectionWrites.pipeline(update), CollectionWrites.updateOptions(args))
            : new UpdateManyModel<>(
                filter, update.asDocument(), CollectionWrites.updateOptions(args));
      }
      case "replaceOne" ->
          new ReplaceOneModel<>(
              args.document("filter"),
              args.document("replacement").clone(),
              CollectionWrites.replaceOptions(args));
      case "deleteOne" ->
          new DeleteOneModel<>(args.document("filter"), CollectionWrites.deleteOptions(args));
      case "deleteMany" ->
          new DeleteManyModel<>(args.document("filter"), CollectionWrites.deleteOptions(args));
      default -> throw new TestFailure("unknown write " + kind);
    };
  }

  static ClientNamespacedWriteModel ofClient(BsonDocument request, Entities entities) {
    String kind = kind(request);
    Args args = new Args(request.getDocument(kind), entities);
    MongoNamespace namespace = new MongoNamespace(args.text("namespace"));
    ClientNamespacedWriteModel model = model(kind, namespace, args);
    args.requireAllRead();
    return model;
  }

  private static ClientNamespacedWriteModel model(
      String kind, MongoNamespace namespace, Args args) {
    return switch (kind) {
      case "insertOne" ->
          ClientNamespacedWriteModel.insertOne(namespace, args.document("document").clone());
      case "updateOne" -> updateOne(namespace, args);
      case "updateMany" -> updateMany(namespace, args);
      case "replaceOne" -> {
        ClientReplaceOneOptions options = ClientReplaceOneOptions.clientReplaceOneOptions();
        args.flag("upsert", options::upsert);
        args.document("sort", options::sort);
        args.hint(options::hintString, options::hint);
        args.collation(options::collation);
        yield ClientNamespacedWriteModel.replaceOne(
            namespace, args.document("filter"), args.document("replacement").clone(), options);
      }
      case "deleteOne" -> {
        ClientDeleteOneOptions options = ClientDeleteOneOptions.clientDeleteOneOptions();
        args.hint(options::hintString, options::hint);
        args.collation(options::collation);
        yield ClientNamespacedWriteModel.deleteOne(namespace, args.document("filter"), options);
      }
      case "deleteMany" -> {
        ClientDeleteManyOptions options = ClientDeleteManyOptions.clientDeleteManyOptions();
        args.hint(options::hintString, options::hint);
        args.collation(options::collation);
        yield ClientNamespacedWriteModel.deleteMany(namespace, args.document("filter"), options);
      }
      default -> throw new TestFailure("unknown write " + kind);
    };
  }

  private static ClientNamespacedWriteModel updateOne(MongoNamespace namespace, Args args) {
    ClientUpdateOneOptions options = ClientUpdateOneOptions.clientUpdateOneOptions();
    args.flag("upsert", options::upsert);
    args.document("sort", options::sort);
    args.documents("arrayFilters", options::arrayFilters);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    BsonDocument filter = args.document("filter");
    BsonValue update = args.required("update");
    return update.isArray()
        ? ClientNamespacedWriteModel.updateOne(
            namespace, filter, CollectionWrites.pipeline(update), options)
        : ClientNamespacedWriteModel.updateOne(namespace, filter, update.asDocument(), options);
  }

  private static ClientNamespacedWriteModel updateMany(MongoNamespace namespace, Args args) {
    ClientUpdateManyOptions options = ClientUpdateManyOptions.clientUpdateManyOptions();
    args.flag("upsert", options::upsert);
    args.documents("arrayFilters", options::arrayFilters);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    BsonDocument filter = args.document("filter");
    BsonValue update = args.required("update");
    return update.isArray()
        ? ClientNamespacedWriteModel.updateMany(
            namespace, filter, CollectionWrites.pipeline(update), options)
        : ClientNamespacedWriteModel.updateMany(namespace, filter, update.asDocument(), options);
  }
}
