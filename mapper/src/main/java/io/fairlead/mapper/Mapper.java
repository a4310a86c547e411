// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

import com.mongodb.ReadPreference;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCluster;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import io.fairlead.mapper.codec.EntityCodecs;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.EncoderContext;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Saves, finds and deletes entities: records and classes with {@link Entity}. Works on any
 * implementation of {@code com.mongodb.client}. Immutable; any thread may call.
 *
 * <pre>{@code
 * @Entity(collection = "people")
 * record Person(@Id @Nullable ObjectId id, String name) {}
 *
 * Mapper mapper = Mapper.over(client.getDatabase("town"));
 * Person ann = mapper.save(new Person(null, "Ann"));    // has an id now
 * mapper.find(Person.class, eq("name", "Ann")).forEach(…);
 * switch (mapper.reread(ann)) {                          // from the primary
 *   case Stored(Person now) -> …
 *   case Gone(var id)       -> …
 * }
 * }</pre>
 */
public final class Mapper {
  private static final String ID = "_id";

  private final Function<@Nullable String, MongoDatabase> databases;
  private final @Nullable ReadPreference reading;
  private final Map<Class<?>, Stored<?>> known = new ConcurrentHashMap<>();

  /** An entity's type with its collection. */
  private record Stored<T>(EntityType<T> type, MongoCollection<T> collection, Codec<T> codec) {}

  private Mapper(
      Function<@Nullable String, MongoDatabase> databases, @Nullable ReadPreference reading) {
    this.databases = databases;
    this.reading = reading;
  }

  /**
   * A mapper of the entities of one database. An entity that names another database is refused: for
   * those, {@link #over(MongoCluster, String)}.
   */
  public static Mapper over(MongoDatabase database) {
    return new Mapper(
        named -> {
          if (named != null && !named.equals(database.getName())) {
            throw new IllegalArgumentException(
                "the entity is of database " + named + ", this mapper of " + database.getName());
          }
          return database;
        },
        null);
  }

  /**
   * A mapper of the entities of several databases.
   *
   * @param client a client, or what its {@code with…} methods give
   * @param database of entities that name none
   */
  public static Mapper over(MongoCluster client, String database) {
    return new Mapper(named -> client.getDatabase(named == null ? database : named), null);
  }

  /**
   * This mapper with reads that go by {@code preference}, whatever entities, database and client
   * say.
   *
   * @param preference null: what entities, database and client say
   */
  public Mapper reading(@Nullable ReadPreference preference) {
    return new Mapper(databases, preference);
  }

  /**
   * Stores an entity: inserts it when it has no id yet, else replaces what has its id, or inserts
   * it where nothing has.
   *
   * @return the entity with its id: the same object of a class, another one of a record that had
   *     none
   * @throws IllegalArgumentException if it has no id and its id is no {@code ObjectId} that could
   *     be made
   */
  public <T> T save(T entity) {
    Stored<T> stored = storedLike(entity);
    BsonDocument document = encode(stored.codec(), entity);
    BsonValue id = document.get(ID);
    if (id == null || id.isNull()) {
      T identified = EntityCodecs.withNewId(stored.codec(), entity);
      stored.collection().insertOne(identified);
      return identified;
    }
    stored
        .collection()
        .withDocumentClass(BsonDocument.class)
        .replaceOne(new BsonDocument(ID, id), document, new ReplaceOptions().upsert(true));
    return entity;
  }

  /**
   * The entity with an id.
   *
   * @param id of the type of the entity's id
   */
  public <T> Optional<T> get(Class<T> type, Object id) {
    return Optional.ofNullable(stored(type).collection().find(Filters.eq(ID, id)).first());
  }

  /** All entities of a type. */
  public <T> FindIterable<T> find(Class<T> type) {
    return stored(type).collection().find();
  }

  /** The entities of a type that match; more of the query can be said on what is returned. */
  public <T> FindIterable<T> find(Class<T> type, Bson filter) {
    return stored(type).collection().find(filter);
  }

  /** How many entities of a type match. */
  public long count(Class<?> type, Bson filter) {
    return stored(type).collection().countDocuments(filter);
  }

  /**
   * Deletes an entity by its id.
   *
   * @return whether there was one to delete
   * @throws IllegalArgumentException if it has no id
   */
  public <T> boolean delete(T entity) {
    Stored<T> stored = storedLike(entity);
    return deleteById(stored, idOf(stored, entity));
  }

  /**
   * Deletes the entity with an id.
   *
   * @return whether there was one to delete
   */
  public boolean delete(Class<?> type, Object id) {
    return stored(type).collection().deleteOne(Filters.eq(ID, id)).getDeletedCount() > 0;
  }

  private static boolean deleteById(Stored<?> stored, BsonValue id) {
    return stored.collection().deleteOne(new BsonDocument(ID, id)).getDeletedCount() > 0;
  }

  /**
   * Asks the primary what an entity is now, whatever read preference entity, database and client
   * have.
   *
   * @return its stored state, or that it is gone
   * @throws com.mongodb.MongoTimeoutException if no primary could be reached in the time for server
   *     selection: an older state is never given instead
   * @throws com.mongodb.MongoSocketException if the primary was lost while it was asked, and no
   *     other came
   * @throws IllegalArgumentException if it has no id
   */
  public <T> Reread<T> reread(T entity) {
    Stored<T> stored = storedLike(entity);
    BsonValue id = idOf(stored, entity);
    T now =
        stored
            .collection()
            .withReadPreference(ReadPreference.primary())
            .find(new BsonDocument(ID, id))
            .first();
    return now == null ? new Reread.Gone<>(id) : new Reread.Stored<>(now);
  }

  /** The collection of an entity, as this mapper reads it. */
  public <T> MongoCollection<T> collection(Class<T> type) {
    return stored(type).collection();
  }

  private static <T> BsonValue idOf(Stored<T> stored, T entity) {
    BsonValue id = encode(stored.codec(), entity).get(ID);
    if (id == null || id.isNull()) {
      throw new IllegalArgumentException(
          stored.type().type().getName() + " has no id: it was never saved");
    }
    return id;
  }

  private static <T> BsonDocument encode(Codec<T> codec, T entity) {
    BsonDocument document = new BsonDocument();
    codec.encode(new BsonDocumentWriter(document), entity, EncoderContext.builder().build());
    return document;
  }

  @SuppressWarnings("unchecked") // an object's class is a class of its type
  private <T> Stored<T> storedLike(T entity) {
    return stored((Class<T>) entity.getClass());
  }

  @SuppressWarnings("unchecked") // what is kept under a class is of that class
  private <T> Stored<T> stored(Class<T> type) {
    return (Stored<T>) known.computeIfAbsent(type, this::open);
  }

  private <T> Stored<T> open(Class<T> type) {
    EntityType<T> entity = EntityType.of(type);
    MongoDatabase database = databases.apply(entity.database());
    MongoCollection<T> collection =
        database
            .getCollection(entity.collection(), BsonDocument.class)
            .withCodecRegistry(EntityCodecs.over(database.getCodecRegistry()))
            .withDocumentClass(type);
    ReadPreference preference = reading == null ? entity.readPreference() : reading;
    if (preference != null) {
      collection = collection.withReadPreference(preference);
    }
    return new Stored<>(entity, collection, collection.getCodecRegistry().get(type));
  }
}
