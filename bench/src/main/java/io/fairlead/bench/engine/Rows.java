// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.Document;

/** The documents that everything is measured with: 150 bytes each. */
final class Rows {
  /** How many the collection {@link #LOADED} has. */
  static final int COUNT = 100_000;

  /** How many of them share a value of {@code k}. */
  static final int PER_K = 10;

  static final int GROUPS = 100;

  static final String LOADED = "docs";

  /** One document for each value of {@code g}. */
  static final String LOADED_GROUPS = "groups";

  private static final int SCATTER = 7919;
  private static final int BATCH = 1000;
  private static final String TEXT =
      "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijkl";

  private Rows() {}

  /** The document of that number, whose {@code _id} it is. */
  static Document numbered(int number) {
    return fields(new Document("_id", number), number);
  }

  /** A document without {@code _id}. */
  static Document anonymous(RandomGenerator random) {
    return fields(new Document(), random.nextInt(COUNT));
  }

  private static Document fields(Document document, int number) {
    int scattered = (int) ((long) number * SCATTER % COUNT);
    return document
        .append("k", scattered % (COUNT / PER_K))
        .append("r", scattered)
        .append("g", number % GROUPS)
        .append("v", (double) (number & 1023))
        .append("n", 0)
        .append("s", TEXT);
  }

  static List<Document> batch(RandomGenerator random) {
    List<Document> batch = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      batch.add(anonymous(random));
    }
    return batch;
  }

  /** Fills {@link #LOADED}, with indexes on {@code k} and {@code r}. */
  static void load(MongoDatabase database) {
    MongoCollection<Document> docs = database.getCollection(LOADED);
    docs.drop();
    index(docs);
    for (int from = 0; from < COUNT; from += BATCH) {
      List<Document> batch = new ArrayList<>(BATCH);
      for (int i = from; i < from + BATCH; i++) {
        batch.add(numbered(i));
      }
      docs.insertMany(batch);
    }
  }

  /** Fills {@link #LOADED_GROUPS}. */
  static void loadGroups(MongoDatabase database) {
    MongoCollection<Document> groups = database.getCollection(LOADED_GROUPS);
    groups.drop();
    List<Document> all = new ArrayList<>(GROUPS);
    for (int i = 0; i < GROUPS; i++) {
      all.add(new Document("_id", i).append("name", "group " + i));
    }
    groups.insertMany(all);
  }

  static void index(MongoCollection<Document> collection) {
    collection.createIndex(new Document("k", 1));
    collection.createIndex(new Document("r", 1));
  }
}
