// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.time.Instant;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimeSeriesTest {
  private static final Namespace BUCKETS = Namespace.of("db", "system.buckets.c");

  private final Store store = new Store();

  private Store weather() {
    return store
        .create("{timeseries: {timeField: 't', metaField: 'm', granularity: 'minutes'}}")
        .insert(
            "{_id: 1, x: 20, t: {$date: 60000}, m: {city: 'a'}}",
            "{_id: 2, t: {$date: 3600000}, m: {city: 'b'}, x: 21, y: null}",
            "{_id: 3, t: {$date: 7200000}, m: {city: 'a'}, x: 25}");
  }

  @Test
  void measurements_come_back_with_time_and_meta_in_front() {
    weather();
    assertThat(store.find("{_id: 1}"))
        .containsExactly(
            "{\"t\": {\"$date\": \"1970-01-01T00:01:00Z\"}, \"m\": {\"city\": \"a\"}, \"_id\": 1,"
                + " \"x\": 20}");
    assertThat(store.count("{'m.city': 'a'}")).isEqualTo(2);
    assertThat(store.count("{t: {$gt: {$date: 60000}, $lt: {$date: 7200000}}}")).isEqualTo(1);
    assertThat(store.count("{t: {$date: 60000}}")).isEqualTo(1);
    assertThat(store.count("{$or: [{t: {$lte: {$date: 60000}}}, {x: 25}]}")).isEqualTo(2);
    assertThat(
            store.engine.snapshot().distinct(NS, "x", FindRequest.all(), store.engine.operation()))
        .containsExactlyInAnyOrder(new BsonInt32(20), new BsonInt32(21), new BsonInt32(25));
    assertThat(
            store.aggregate(
                "{$group: {_id: {c: '$m.city', day: {$dateTrunc: {date: '$t', unit: 'day'}}}, n:"
                    + " {$avg: '$x'}}}",
                "{$project: {_id: '$_id.c', n: 1}}",
                "{$sort: {_id: 1}}"))
        .containsExactly("{\"n\": 22.5, \"_id\": \"a\"}", "{\"n\": 21.0, \"_id\": \"b\"}");
  }

  @Test
  void a_bucket_has_mongodbs_form() {
    weather();
    BsonDocument bucket =
        json(
            Store.texts(
                    store
                        .engine
                        .snapshot()
                        .find(BUCKETS, FindRequest.all(), store.engine.operation()))
                .get(1));
    assertThat(bucket.getObjectId("_id").getValue().getTimestamp()).isEqualTo(3600);
    bucket.remove("_id");
    assertThat(bucket)
        .isEqualTo(
            json(
                "{control: {version: 1, min: {_id: 2, t: {$date: 3600000}, x: 21, y: null}, max:"
                    + " {_id: 2, t: {$date: 3600000}, x: 21, y: null}}, meta: {city: 'b'}, data:"
                    + " {_id: {'0': 2}, t: {'0': {$date: 3600000}}, x: {'0': 21}, y: {'0':"
                    + " null}}}"));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{timeseries: {}} | 40414",
        "{timeseries: {timeField: 't', wings: 2}} | 40415",
        "{timeseries: {timeField: 1}} | 14",
        "{timeseries: {timeField: 'a.b'}} | 72",
        "{timeseries: {timeField: 't', metaField: 't'}} | 72",
        "{timeseries: {timeField: 't', metaField: '_id'}} | 72",
        "{timeseries: {timeField: 't', granularity: 'days'}} | 2",
        "{timeseries: {timeField: 't', bucketMaxSpanSeconds: 10}} | 72",
        "{timeseries: {timeField: 't', bucketMaxSpanSeconds: 10, bucketRoundingSeconds: 20}} | 72",
        "{timeseries: {timeField: 't', granularity: 'hours', bucketMaxSpanSeconds: 10}} | 72",
        "{timeseries: {timeField: 't', bucketMaxSpanSeconds: 0, bucketRoundingSeconds: 0}} | 51024",
        "{timeseries: {timeField: 't'}, capped: true, size: 100} | 72",
        "{timeseries: {timeField: 't'}, validator: {a: 1}} | 72",
        "{timeseries: {timeField: 't'}, viewOn: 'c'} | 72",
        "{timeseries: {timeField: 't'}, changeStreamPreAndPostImages: {enabled: true}} | 72",
      })
  void wrong_options_are_refused(String options, int code) {
    refused(code, () -> store.create(options));
    assertThat(store.engine.snapshot().databases()).isEmpty();
  }

  @Test
  void a_measurement_needs_its_time() {
    weather();
    refused(2, () -> store.insert("{m: 1}"));
    refused(2, () -> store.insert("{t: 1}"));
  }

  @Test
  void its_options_are_told_whole() {
    weather();
    weather();
    assertThat(
            store
                .engine
                .snapshot()
                .collection(NS)
                .orElseThrow()
                .options()
                .declared()
                .getDocument("timeseries"))
        .isEqualTo(
            json(
                "{timeField: 't', metaField: 'm', granularity: 'minutes', bucketMaxSpanSeconds:"
                    + " 86400}"));
    assertThat(store.engine.snapshot().collection(NS).orElseThrow().isTimeSeries()).isTrue();
    refused(48, () -> store.create("{timeseries: {timeField: 't'}}"));
  }

  @Test
  void deletes_reach_what_matches() {
    weather();
    assertThat(store.deleteMany("{'m.city': 'b'}")).isEqualTo(1);
    assertThat(store.deleteMany("{x: {$gt: 24}, t: {$gte: {$date: 0}}}")).isEqualTo(1);
    store.insert("{_id: 4, t: {$date: 1}, m: {city: 'a'}}");
    long one =
        store
            .engine
            .write(
                WriteContext.plain(), w -> w.delete(NS, DeleteRequest.one(json("{'m.city': 'a'}"))))
            .deleted();
    assertThat(one).isEqualTo(1);
    assertThat(store.count("{}")).isEqualTo(1);
    store.check();
  }

  @Test
  void only_the_meta_field_is_updated() {
    weather();
    assertThat(store.updateMany("{'m.city': 'a'}", "{$set: {'m.land': 'x'}}").modified())
        .isEqualTo(2);
    assertThat(store.count("{m: {city: 'a', land: 'x'}}")).isEqualTo(2);
    refused(72, () -> store.updateOne("{'m.city': 'a'}", "{$set: {'m.land': 'y'}}"));
    refused(72, () -> store.updateMany("{x: 1}", "{$set: {'m.land': 'y'}}"));
    refused(72, () -> store.updateMany("{'m.city': 'a'}", "{$set: {x: 1}}"));
    refused(
        72,
        () ->
            store.update(
                UpdateRequest.many(json("{'m.city': 'a'}"), json("{$set: {m: 1}}"))
                    .withUpsert(true)));
    refused(
        72,
        () ->
            store.findAndModify(
                io.fairlead.engine.write.FindAndModifyRequest.update(
                    json("{}"), json("{$set: {m: 1}}"))));
  }

  @Test
  void indexes_on_measurements_are_kept_on_buckets() {
    weather();
    assertThat(store.engine.snapshot().indexes(NS))
        .containsExactly(json("{v: 2, key: {m: 1, t: 1}, name: 'm_1_t_1'}"));
    store.index("{'m.city': 1, t: -1}");
    assertThat(store.engine.snapshot().indexes(NS).get(1).getDocument("key"))
        .isEqualTo(json("{'m.city': 1, t: -1}"));
    String explained =
        store
            .engine
            .snapshot()
            .explain(
                NS,
                FindRequest.matching(json("{'m.city': 'a', t: {$gt: {$date: 7000000}}}"))
                    .withHint(new BsonString("m.city_1_t_-1")),
                ExplainVerbosity.EXECUTION_STATS,
                store.engine.operation())
            .toJson();
    assertThat(explained).contains("m.city_1_t_-1").contains("\"totalKeysExamined\": 1");
    refused(72, () -> store.index("{x: 1}", "{unique: true}"));
    int before =
        store.engine.write(
            WriteContext.plain(), w -> w.dropIndexes(NS, json("{'m.city': 1, t: -1}")));
    assertThat(before).isEqualTo(2);
    store.check();
  }

  @Test
  void measurements_expire_and_granularity_grows() {
    store
        .create("{timeseries: {timeField: 't'}, expireAfterSeconds: 60}")
        .insert("{t: {$date: 0}}", "{t: {$date: 100000}}");
    assertThat(store.engine.snapshot().expiring()).containsExactly(BUCKETS);
    long gone =
        store.engine.write(
            WriteContext.plain(), w -> w.deleteExpired(BUCKETS, Instant.ofEpochSecond(61), 100));
    assertThat(gone).isEqualTo(1);
    modify("{timeseries: {granularity: 'hours'}, expireAfterSeconds: 'off'}");
    BsonDocument options =
        store.engine.snapshot().collection(NS).orElseThrow().options().declared();
    assertThat(options.getDocument("timeseries").getInt32("bucketMaxSpanSeconds").getValue())
        .isEqualTo(2_592_000);
    assertThat(options.containsKey("expireAfterSeconds")).isFalse();
    refused(72, () -> modify("{timeseries: {granularity: 'seconds'}}"));
    refused(72, () -> modify("{validator: {}}"));
  }

  @Test
  void dropping_it_drops_its_buckets() {
    weather();
    boolean dropped = store.engine.write(WriteContext.plain(), w -> w.dropCollection(NS));
    assertThat(dropped).isTrue();
    assertThat(store.engine.snapshot().databases()).isEmpty();
  }

  @Test
  void buckets_of_several_measurements_are_read_and_cut() {
    store.create("{timeseries: {timeField: 't', metaField: 'm'}}");
    BsonDocument bucket =
        json(
            "{_id: {$oid: '000000000000000000000001'}, control: {version: 1, min: {t: {$date: 0},"
                + " x: 1}, max: {t: {$date: 2}, x: 3}}, meta: 'a', data: {t: {'0': {$date: 0}, '1':"
                + " {$date: 1}, '2': {$date: 2}}, x: {'0': 1, '2': 3}}}");
    store.engine.write(WriteContext.plain(), w -> w.insert(BUCKETS, bucket));
    assertThat(store.find(FindRequest.all())).hasSize(3);
    assertThat(store.count("{x: {$exists: false}}")).isEqualTo(1);
    assertThat(store.deleteMany("{x: 1}")).isEqualTo(1);
    assertThat(store.find(FindRequest.all().withProjection(json("{x: 1, _id: 0}"))))
        .isEqualTo(List.of("{}", "{\"x\": 3}"));
  }

  private void modify(String command) {
    store.engine.write(WriteContext.plain(), w -> w.modifyCollection(NS, json(command)));
  }

  private static void refused(
      int code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
