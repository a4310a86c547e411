// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.MongoNamespace;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.bulk.ClientNamespacedDeleteManyModel;
import com.mongodb.client.model.bulk.ClientNamespacedDeleteOneModel;
import com.mongodb.client.model.bulk.ClientNamespacedInsertOneModel;
import com.mongodb.client.model.bulk.ClientNamespacedReplaceOneModel;
import com.mongodb.client.model.bulk.ClientNamespacedUpdateManyModel;
import com.mongodb.client.model.bulk.ClientNamespacedUpdateOneModel;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import io.fairlead.driver.command.BsonEncoding;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Turns the models of a client's bulk write into statements with their collections. */
record ClientModels(CodecRegistry codecs) {

  /** A statement on one collection. */
  record Namespaced(MongoNamespace namespace, Statement statement) {}

  /**
   * @throws IllegalArgumentException if there is none, or one of them is null
   */
  List<Namespaced> statements(@Nullable List<? extends ClientNamespacedWriteModel> models) {
    if (models == null || models.isEmpty()) {
      throw new IllegalArgumentException("models can not be null or empty");
    }
    List<Namespaced> statements = new ArrayList<>(models.size());
    for (ClientNamespacedWriteModel model : models) {
      if (model == null) {
        throw new IllegalArgumentException("models can not contain a null value");
      }
      Accessors outer = new Accessors(model);
      statements.add(
          new Namespaced(
              outer.required("getNamespace", MongoNamespace.class),
              statement(model, new Accessors(outer.required("getModel", Object.class)))));
    }
    return statements;
  }

  private Statement statement(ClientNamespacedWriteModel model, Accessors content) {
    return switch (model) {
      case ClientNamespacedInsertOneModel insert ->
          insert(content.required("getDocument", Object.class));
      case ClientNamespacedUpdateOneModel update -> update(content, false);
      case ClientNamespacedUpdateManyModel update -> update(content, true);
      case ClientNamespacedReplaceOneModel replace ->
          replace(content, content.required("getReplacement", Object.class));
      case ClientNamespacedDeleteOneModel delete -> delete(content, false);
      case ClientNamespacedDeleteManyModel delete -> delete(content, true);
      default ->
          throw new UnsupportedOperationException(
              "a model of type " + model.getClass() + " is not supported");
    };
  }

  @SuppressWarnings("unchecked") // the codec is that of the document's own class
  private <T> Statement insert(T document) {
    return Insert.of(document, (Codec<T>) codecs.get(document.getClass()));
  }

  private Statement update(Accessors content, boolean multi) {
    Accessors options = options(content);
    Bson update = content.optional("getUpdate", Bson.class);
    return new Update(
        filter(content),
        update == null
            ? new BsonArray(documents(content.required("getUpdatePipeline", Iterable.class)))
            : document(update),
        false,
        multi,
        upsert(options),
        options.optional("getCollation", Collation.class),
        arrayFilters(options),
        hint(options),
        multi ? null : sort(options));
  }

  private <T> Statement replace(Accessors content, T replacement) {
    Accessors options = options(content);
    @SuppressWarnings("unchecked") // the codec is that of the document's own class
    Codec<T> codec = (Codec<T>) codecs.get(replacement.getClass());
    return new Update(
        filter(content),
        BsonEncoding.wrapped(replacement, codec),
        true,
        false,
        upsert(options),
        options.optional("getCollation", Collation.class),
        null,
        hint(options),
        sort(options));
  }

  private Statement delete(Accessors content, boolean multi) {
    Accessors options = options(content);
    return new Delete(
        filter(content), multi, options.optional("getCollation", Collation.class), hint(options));
  }

  private static Accessors options(Accessors content) {
    return new Accessors(content.required("getOptions", Object.class));
  }

  private BsonDocument filter(Accessors content) {
    return document(content.required("getFilter", Bson.class));
  }

  private static boolean upsert(Accessors options) {
    return Boolean.TRUE.equals(options.optional("isUpsert", Boolean.class));
  }

  private @Nullable List<BsonDocument> arrayFilters(Accessors options) {
    Iterable<?> filters = options.optional("getArrayFilters", Iterable.class);
    return filters == null ? null : documents(filters);
  }

  private @Nullable BsonValue hint(Accessors options) {
    Bson hint = options.optional("getHint", Bson.class);
    if (hint != null) {
      return document(hint);
    }
    String name = options.optional("getHintString", String.class);
    return name == null ? null : new BsonString(name);
  }

  private @Nullable BsonDocument sort(Accessors options) {
    Bson sort = options.optional("getSort", Bson.class);
    return sort == null ? null : document(sort);
  }

  private List<BsonDocument> documents(Iterable<?> given) {
    List<BsonDocument> documents = new ArrayList<>();
    given.forEach(each -> documents.add(document((Bson) each)));
    return documents;
  }

  private BsonDocument document(Bson bson) {
    return bson.toBsonDocument(BsonDocument.class, codecs);
  }
}
