// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.Document;

/** What one thread does again and again. Every answer is checked. */
enum Workload {
  INSERT_ONE("insert one"),
  INSERT_THOUSAND("insert 1,000"),
  INSERT_THOUSAND_INDEXED("insert 1,000, two indexes"),
  FIND_BY_ID("find by _id"),
  FIND_INDEXED("find by k, 10 documents"),
  RANGE_SORT_LIMIT("range on r, sort, limit 100"),
  UPDATE_BY_ID("update $inc by _id"),
  FIND_AND_MODIFY("findAndModify by _id"),
  GROUP("$match + $group over 100,000"),
  LOOKUP("$match 20 + $lookup"),
  COUNT_RANGE("count a range of 10,000");

  private static final int LIMIT = 100;
  private static final int COUNTED = 10_000;
  private static final int JOINED = 20;

  private final String title;

  Workload(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Whether it fills collections of its own, which have to be emptied now and then. */
  boolean inserts() {
    return this == INSERT_ONE || this == INSERT_THOUSAND || this == INSERT_THOUSAND_INDEXED;
  }

  /** How many documents one operation adds. */
  int added() {
    return this == INSERT_ONE ? 1 : inserts() ? 1000 : 0;
  }

  /** Makes a thread's own collection, empty. */
  void empty(MongoCollection<Document> own) {
    own.drop();
    if (this == INSERT_THOUSAND_INDEXED) {
      Rows.index(own);
    }
  }

  /**
   * Does it once.
   *
   * @param own the thread's own collection, for inserts
   * @throws IllegalStateException when the answer is wrong
   */
  void run(MongoDatabase database, MongoCollection<Document> own, RandomGenerator random) {
    MongoCollection<Document> docs = database.getCollection(Rows.LOADED);
    switch (this) {
      case INSERT_ONE -> own.insertOne(Rows.anonymous(random));
      case INSERT_THOUSAND, INSERT_THOUSAND_INDEXED ->
          expect(added(), own.insertMany(Rows.batch(random)).getInsertedIds().size());
      case FIND_BY_ID -> {
        int id = random.nextInt(Rows.COUNT);
        Document found = docs.find(Filters.eq("_id", id)).first();
        expect(id, found == null ? -1 : found.getInteger("_id"));
      }
      case FIND_INDEXED ->
          expect(
              Rows.PER_K,
              docs.find(Filters.eq("k", random.nextInt(Rows.COUNT / Rows.PER_K)))
                  .into(new ArrayList<>())
                  .size());
      case RANGE_SORT_LIMIT -> {
        int from = random.nextInt(Rows.COUNT - LIMIT);
        List<Document> found =
            docs.find(Filters.gte("r", from))
                .sort(Sorts.ascending("r"))
                .limit(LIMIT)
                .into(new ArrayList<>());
        expect(LIMIT, found.size());
        expect(from + LIMIT - 1, found.getLast().getInteger("r"));
      }
      case UPDATE_BY_ID ->
          expect(
              1,
              docs.updateOne(Filters.eq("_id", random.nextInt(Rows.COUNT)), Updates.inc("n", 1))
                  .getModifiedCount());
      case FIND_AND_MODIFY -> {
        int id = random.nextInt(Rows.COUNT);
        Document before = docs.findOneAndUpdate(Filters.eq("_id", id), Updates.inc("n", 1));
        expect(id, before == null ? -1 : before.getInteger("_id"));
      }
      case GROUP ->
          expect(
              Rows.GROUPS / 2,
              docs.aggregate(
                      List.of(
                          Aggregates.match(Filters.lt("g", Rows.GROUPS / 2)),
                          Aggregates.group(
                              "$g", Accumulators.sum("n", 1), Accumulators.sum("v", "$v"))))
                  .into(new ArrayList<>())
                  .size());
      case LOOKUP -> {
        int from = random.nextInt(Rows.COUNT - JOINED);
        List<Document> joined =
            docs.aggregate(
                    List.of(
                        Aggregates.match(
                            Filters.and(
                                Filters.gte("_id", from), Filters.lt("_id", from + JOINED))),
                        Aggregates.lookup(Rows.LOADED_GROUPS, "g", "_id", "group")))
                .into(new ArrayList<>());
        expect(JOINED, joined.size());
        expect(1, joined.getFirst().getList("group", Document.class).size());
      }
      case COUNT_RANGE -> {
        int from = random.nextInt(Rows.COUNT - COUNTED);
        expect(
            COUNTED,
            docs.countDocuments(
                Filters.and(Filters.gte("r", from), Filters.lt("r", from + COUNTED))));
      }
    }
  }

  private void expect(long wanted, long got) {
    if (wanted != got) {
      throw new IllegalStateException(title + ": expected " + wanted + ", got " + got);
    }
  }
}
