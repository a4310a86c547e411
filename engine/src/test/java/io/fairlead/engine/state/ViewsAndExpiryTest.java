// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.WriteContext;
import java.time.Instant;
import java.util.List;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

final class ViewsAndExpiryTest {
  private static final Namespace VIEW = Namespace.of("db", "v");

  private final Store store = new Store();

  private void view(Namespace name, String options) {
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          writes.createCollection(name, CollectionOptions.of(json(options)));
          return true;
        });
  }

  private List<String> find(Namespace name, FindRequest request) {
    return Store.texts(store.engine.snapshot().find(name, request, store.engine.operation()));
  }

  @Test
  void a_view_shows_what_its_pipeline_makes_of_the_collection() {
    store.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}", "{_id: 3, a: 3}");
    view(VIEW, "{viewOn: 'c', pipeline: [{$match: {a: {$gte: 2}}}, {$project: {b: '$a'}}]}");
    FindRequest all = FindRequest.all().withSort(json("{_id: -1}"));
    assertThat(find(VIEW, all)).containsExactly("{\"_id\": 3, \"b\": 3}", "{\"_id\": 2, \"b\": 2}");
    assertThat(find(VIEW, all.withSkip(1).withProjection(json("{_id: 0}"))))
        .containsExactly("{\"b\": 2}");
    assertThat(
            store
                .engine
                .snapshot()
                .count(VIEW, FindRequest.matching(json("{b: 3}")), store.engine.operation()))
        .isEqualTo(1);
    assertThat(
            store
                .engine
                .snapshot()
                .distinct(VIEW, "b", FindRequest.all(), store.engine.operation()))
        .containsExactlyInAnyOrder(new BsonInt32(2), new BsonInt32(3));
    view(Namespace.of("db", "vv"), "{viewOn: 'v', pipeline: [{$match: {b: 3}}]}");
    assertThat(
            Store.texts(
                store
                    .engine
                    .snapshot()
                    .aggregate(
                        Namespace.of("db", "vv"),
                        AggregateRequest.of(List.of(json("{$count: 'n'}"))),
                        store.engine.operation())))
        .containsExactly("{\"n\": 1}");
  }

  @Test
  void nothing_is_written_to_a_view() {
    view(VIEW, "{viewOn: 'c'}");
    refused(166, () -> store.engine.write(WriteContext.plain(), w -> w.insert(VIEW, json("{}"))));
    refused(
        166,
        () ->
            store.engine.write(
                WriteContext.plain(),
                w ->
                    w.createIndexes(
                        VIEW, List.of(io.fairlead.engine.index.IndexSpec.on(json("{a: 1}"))))));
    boolean dropped = store.engine.write(WriteContext.plain(), w -> w.dropCollection(VIEW));
    assertThat(dropped).isTrue();
  }

  @Test
  void views_that_lead_back_to_themselves_are_refused() {
    view(VIEW, "{viewOn: 'w'}");
    refused(5, () -> view(Namespace.of("db", "w"), "{viewOn: 'v'}"));
    refused(5, () -> view(Namespace.of("db", "s"), "{viewOn: 's'}"));
    refused(
        5,
        () ->
            view(
                Namespace.of("db", "w"),
                "{viewOn: 'c', pipeline: [{$facet: {f: [{$unionWith: {coll: 'c', pipeline:"
                    + " [{$lookup: {from: 'v', as: 'x', pipeline: []}}]}}]}}]}"));
    view(Namespace.of("db", "w"), "{viewOn: 'c'}");
    refused(5, () -> modify(Namespace.of("db", "w"), "{viewOn: 'v', pipeline: []}"));
  }

  @Test
  void twenty_views_may_stand_on_each_other() {
    for (int i = 1; i <= 20; i++) {
      view(Namespace.of("db", "v" + i), "{viewOn: '" + (i == 1 ? "c" : "v" + (i - 1)) + "'}");
    }
    store.insert("{_id: 1}");
    assertThat(find(Namespace.of("db", "v20"), FindRequest.all())).hasSize(1);
    refused(165, () -> view(Namespace.of("db", "v21"), "{viewOn: 'v20'}"));
  }

  @Test
  void a_view_has_no_option_but_its_own() {
    refused(72, () -> view(VIEW, "{viewOn: 'c', validator: {a: 1}}"));
    refused(72, () -> view(VIEW, "{viewOn: 'c', capped: true, size: 100}"));
    refused(72, () -> view(VIEW, "{pipeline: []}"));
    refused(167, () -> view(VIEW, "{viewOn: 'c', pipeline: [{$out: 'x'}]}"));
    refused(40324, () -> view(VIEW, "{viewOn: 'c', pipeline: [{$nothing: 1}]}"));
    refused(2, () -> view(VIEW, "{viewOn: ''}"));
    store.create("{}");
    refused(72, () -> modify(NS, "{viewOn: 'x', pipeline: []}"));
    refused(48, () -> view(NS, "{viewOn: 'x'}"));
    view(VIEW, "{viewOn: 'c'}");
    view(VIEW, "{viewOn: 'c'}");
    refused(48, () -> view(VIEW, "{viewOn: 'd'}"));
    refused(72, () -> modify(VIEW, "{validator: {}}"));
    refused(72, () -> modify(VIEW, "{viewOn: 'c'}"));
  }

  @Test
  void collMod_changes_what_a_view_shows_and_system_views_tells_it() {
    store.insert("{_id: 1}", "{_id: 2}");
    view(VIEW, "{viewOn: 'c', pipeline: [{$match: {_id: 1}}]}");
    modify(VIEW, "{viewOn: 'c', pipeline: [{$match: {_id: 2}}]}");
    assertThat(find(VIEW, FindRequest.all())).containsExactly("{\"_id\": 2}");
    Namespace system = Namespace.of("db", "system.views");
    assertThat(find(system, FindRequest.all()))
        .containsExactly(
            "{\"_id\": \"db.v\", \"viewOn\": \"c\", \"pipeline\": [{\"$match\": {\"_id\": 2}}]}");
    refused(115, () -> store.engine.write(WriteContext.plain(), w -> w.insert(system, json("{}"))));
    boolean dropped = store.engine.write(WriteContext.plain(), w -> w.dropCollection(system));
    assertThat(dropped).isTrue();
    assertThat(store.engine.snapshot().collection(VIEW)).isEmpty();
  }

  @Test
  void stages_that_read_other_collections_read_views() {
    store.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
    view(VIEW, "{viewOn: 'c', pipeline: [{$match: {a: 2}}, {$set: {up: {$subtract: ['$a', 2]}}}]}");
    assertThat(store.aggregate("{$match: {_id: 1}}", "{$unionWith: 'v'}", "{$project: {a: 1}}"))
        .containsExactly("{\"_id\": 1, \"a\": 1}", "{\"_id\": 2, \"a\": 2}");
    assertThat(
            store.aggregate(
                "{$lookup: {from: 'v', localField: '_id', foreignField: '_id', as: 'v'}}",
                "{$project: {n: {$size: '$v'}}}"))
        .containsExactly("{\"_id\": 1, \"n\": 0}", "{\"_id\": 2, \"n\": 1}");
    assertThat(
            store.aggregate(
                "{$graphLookup: {from: 'v', startWith: 2, connectFromField: 'up',"
                    + " connectToField: 'a', as: 'v'}}",
                "{$project: {n: {$size: '$v'}}}"))
        .containsExactly("{\"_id\": 1, \"n\": 1}", "{\"_id\": 2, \"n\": 1}");
  }

  private void modify(Namespace name, String command) {
    store.engine.write(WriteContext.plain(), w -> w.modifyCollection(name, json(command)));
  }

  @Test
  void documents_expire_by_their_date() {
    store.index("{at: 1}", "{expireAfterSeconds: 60}");
    store.insert(
        "{_id: 1, at: {$date: 0}}",
        "{_id: 2, at: {$date: 30000}}",
        "{_id: 3, at: [{$date: 90000}, {$date: 1}]}",
        "{_id: 4, at: 'never'}",
        "{_id: 5}");
    assertThat(store.engine.snapshot().expiring()).containsExactly(NS);
    assertThat(expire(Instant.ofEpochMilli(59_999))).isZero();
    assertThat(expire(Instant.ofEpochMilli(60_500))).isEqualTo(2);
    assertThat(store.find(FindRequest.all().withProjection(json("{_id: 1}"))))
        .containsExactly("{\"_id\": 2}", "{\"_id\": 4}", "{\"_id\": 5}");
    store.check();
  }

  @Test
  void only_what_a_partial_index_holds_expires_even_when_it_is_hidden() {
    store.index(
        "{at: 1}", "{expireAfterSeconds: 0, hidden: true, partialFilterExpression: {a: 1}}");
    store.insert("{_id: 1, at: {$date: 0}, a: 1}", "{_id: 2, at: {$date: 0}, a: 2}");
    assertThat(expire(Instant.ofEpochMilli(1))).isEqualTo(1);
    assertThat(store.find("{}")).hasSize(1);
  }

  @Test
  void when_documents_expire_is_changed_by_collMod() {
    store.index("{at: 1}", "{expireAfterSeconds: 60}");
    store.index("{b: 1}");
    store.insert("{_id: 1, at: {$date: 0}, b: {$date: 0}}");
    refused(85, () -> store.index("{at: 1}", "{expireAfterSeconds: 61}"));
    modify(NS, "{index: {keyPattern: {at: 1}, expireAfterSeconds: 3600}}");
    assertThat(expire(Instant.ofEpochSecond(61))).isZero();
    modify(NS, "{index: {name: 'b_1', expireAfterSeconds: 10}}");
    assertThat(expire(Instant.ofEpochSecond(61))).isEqualTo(1);
    refused(72, () -> modify(NS, "{index: {name: 'b_1', expireAfterSeconds: -1}}"));
  }

  private long expire(Instant now) {
    return store.engine.write(WriteContext.plain(), writes -> writes.deleteExpired(NS, now, 1000));
  }

  private static void refused(
      int code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
