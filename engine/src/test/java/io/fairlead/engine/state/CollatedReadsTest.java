// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.List;
import org.bson.RawBsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and writes under a collation, with and without an index that is in plain order. */
final class CollatedReadsTest {
  private static Store store(boolean indexed) {
    Store store =
        new Store()
            .insert(
                "{_id: 'a', n: 'e'}",
                "{_id: 'B', n: 'E'}",
                "{_id: 'c', n: 'é'}",
                "{_id: 'D', n: 'f'}");
    return indexed ? store.index("{n: 1}") : store;
  }

  private static List<String> ids(DocumentCursor cursor) {
    List<String> ids = new ArrayList<>();
    RawBsonDocument document;
    while ((document = cursor.next()) != null) {
      ids.add(document.getString("_id").getValue());
    }
    return ids;
  }

  private static List<String> find(Store store, String filter, String sort, String collation) {
    FindRequest request =
        FindRequest.matching(json(filter)).withSort(json(sort)).withCollation(json(collation));
    return ids(store.engine.snapshot().find(NS, request, store.engine.operation()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void strength_decides_what_is_equal(boolean indexed) {
    Store store = store(indexed);
    assertThat(find(store, "{n: 'e'}", "{_id: 1}", "{locale: 'en', strength: 1}"))
        .containsExactly("a", "B", "c");
    assertThat(find(store, "{n: 'e'}", "{_id: 1}", "{locale: 'en', strength: 2}"))
        .containsExactly("a", "B");
    assertThat(find(store, "{n: 'e'}", "{_id: 1}", "{locale: 'en', strength: 3}"))
        .containsExactly("a");
    assertThat(find(store, "{_id: 'b'}", "{_id: 1}", "{locale: 'en', strength: 2}"))
        .containsExactly("B");
    assertThat(find(store, "{n: {$gt: 'E'}}", "{_id: 1}", "{locale: 'en', strength: 2}"))
        .containsExactly("c", "D");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void strings_are_sorted_by_the_collation(boolean indexed) {
    Store store = store(indexed);
    assertThat(find(store, "{}", "{n: 1}", "{locale: 'en'}")).containsExactly("a", "B", "c", "D");
    assertThat(find(store, "{}", "{n: -1}", "{locale: 'en'}")).containsExactly("D", "c", "B", "a");
    assertThat(find(store, "{}", "{n: 1}", "{locale: 'simple'}"))
        .containsExactly("B", "a", "D", "c");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void groups_updates_and_deletes_follow_it(boolean indexed) {
    Store store = store(indexed);
    AggregateRequest group =
        new AggregateRequest(
            List.of(json("{$match: {n: 'E'}}"), json("{$group: {_id: '$n', c: {$sum: 1}}}")),
            null,
            json("{locale: 'en', strength: 1}"),
            null);
    DocumentCursor groups = store.engine.snapshot().aggregate(NS, group, store.engine.operation());
    RawBsonDocument only = java.util.Objects.requireNonNull(groups.next());
    assertThat(only.getInt32("c").getValue()).isEqualTo(3);
    assertThat(groups.next()).isNull();
    store.update(
        UpdateRequest.many(json("{n: 'E'}"), json("{$set: {x: 1}}"))
            .withCollation(json("{locale: 'en', strength: 2}")));
    assertThat(store.find("{x: 1}")).hasSize(2);
    DeleteRequest delete = collated(DeleteRequest.many(json("{n: 'F'}")));
    assertThat(
            store.engine.write(WriteContext.plain(), writes -> writes.delete(NS, delete)).deleted())
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void distinct_and_count_follow_it(boolean indexed) {
    Store store = store(indexed);
    FindRequest primary =
        FindRequest.matching(json("{}")).withCollation(json("{locale: 'en', strength: 1}"));
    assertThat(store.engine.snapshot().distinct(NS, "n", primary, store.engine.operation()))
        .hasSize(2);
    FindRequest equal =
        FindRequest.matching(json("{n: 'E'}")).withCollation(json("{locale: 'en', strength: 1}"));
    assertThat(store.engine.snapshot().count(NS, equal, store.engine.operation())).isEqualTo(3);
  }

  private static DeleteRequest collated(DeleteRequest plain) {
    return new DeleteRequest(
        plain.filter(),
        plain.multi(),
        plain.hint(),
        json("{locale: 'en', strength: 2}"),
        plain.let());
  }
}
