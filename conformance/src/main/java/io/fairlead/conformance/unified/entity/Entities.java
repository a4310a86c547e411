// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterDescription;
import io.fairlead.conformance.unified.match.Names;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one test has given names to. Threads of the test may share it. */
public final class Entities implements Names, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Entities.class);

  private final ConcurrentHashMap<String, Object> byName = new ConcurrentHashMap<>();
  private final List<String> order = new CopyOnWriteArrayList<>();

  /**
   * Gives a name to an entity.
   *
   * @throws TestFailure when the name is taken
   */
  public void add(String name, Object entity) {
    if (byName.putIfAbsent(name, entity) != null) {
      throw new TestFailure("the name '" + name + "' is taken");
    }
    order.add(name);
  }

  /**
   * The entity of that name.
   *
   * @throws TestFailure when there is none
   */
  public Object get(String name) {
    Object entity = byName.get(name);
    if (entity == null) {
      throw new TestFailure("there is no entity '" + name + "'");
    }
    return entity;
  }

  public ClientEntity client(String name) {
    return typed(name, ClientEntity.class);
  }

  public MongoDatabase database(String name) {
    return typed(name, MongoDatabase.class);
  }

  public SessionEntity session(String name) {
    return typed(name, SessionEntity.class);
  }

  public ThreadEntity thread(String name) {
    return typed(name, ThreadEntity.class);
  }

  public ClusterDescription topology(String name) {
    return typed(name, ClusterDescription.class);
  }

  @Override
  public BsonValue value(String name) {
    return typed(name, BsonValue.class);
  }

  @Override
  public BsonDocument sessionId(String name) {
    return session(name).id();
  }

  private <T> T typed(String name, Class<T> type) {
    Object entity = get(name);
    if (!type.isInstance(entity)) {
      throw new TestFailure(
          "'"
              + name
              + "' is a "
              + entity.getClass().getSimpleName()
              + ", no "
              + type.getSimpleName());
    }
    return type.cast(entity);
  }

  /** All clients, in the order of their making. */
  public List<ClientEntity> clients() {
    return all(ClientEntity.class);
  }

  private <T> List<T> all(Class<T> type) {
    List<T> found = new ArrayList<>();
    for (String name : order) {
      Object entity = get(name);
      if (type.isInstance(entity)) {
        found.add(type.cast(entity));
      }
    }
    return found;
  }

  /** All threads, in the order of their making. */
  public List<ThreadEntity> threads() {
    return all(ThreadEntity.class);
  }

  /** Closes cursors, then sessions, then threads, then clients. */
  @Override
  public void close() {
    all(MongoCursor.class).forEach(cursor -> quietly(cursor::close));
    all(SessionEntity.class).forEach(each -> quietly(each.session()::close));
    threads().forEach(ThreadEntity::close);
    clients().forEach(each -> quietly(each.client()::close));
    byName.clear();
    order.clear();
  }

  private static void quietly(Runnable close) {
    try {
      close.run();
    } catch (RuntimeException failure) {
      LOG.debug("an entity could not be closed", failure); // the test is judged already
    }
  }

  /** The class by which collections are asked for: their documents stay BSON. */
  public static MongoCollection<BsonDocument> bson(MongoDatabase database, String name) {
    return database.getCollection(name, BsonDocument.class);
  }
}
