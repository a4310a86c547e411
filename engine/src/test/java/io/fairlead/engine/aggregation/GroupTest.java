// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.value.RandomValues;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.write.WriteContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code $group} over what a collection holds, whose documents it reads in place. */
final class GroupTest {
  private static final Namespace DOCS = Namespace.of("db", "docs");

  private final Engine engine = Engine.open(EngineOptions.defaults());

  @AfterEach
  void close() {
    engine.close();
  }

  private void insert(List<BsonDocument> documents) {
    engine.write(
        WriteContext.plain(),
        transaction -> {
          documents.forEach(document -> transaction.insert(DOCS, RawBytes.raw(document)));
          return true;
        });
  }

  private void insert(String... values) {
    List<BsonDocument> documents = new ArrayList<>();
    for (String value : values) {
      documents.add(
          BsonDocument.parse(
              "{_id: " + documents.size() + (value.isEmpty() ? "" : ", v: " + value) + "}"));
    }
    insert(documents);
  }

  private static List<BsonDocument> stages(String... stages) {
    List<BsonDocument> parsed = new ArrayList<>();
    for (String stage : stages) {
      parsed.add(BsonDocument.parse(stage));
    }
    return parsed;
  }

  private static List<BsonDocument> all(DocumentCursor cursor) {
    List<BsonDocument> all = new ArrayList<>();
    try (cursor) {
      for (RawBsonDocument next = cursor.next(); next != null; next = cursor.next()) {
        all.add(next.decode(new BsonDocumentCodec()));
      }
    }
    return all;
  }

  private List<BsonDocument> aggregate(String... stages) {
    return all(
        engine.snapshot().aggregate(DOCS, AggregateRequest.of(stages(stages)), engine.operation()));
  }

  private List<BsonValue> keys(String key) {
    return aggregate("{$group: {_id: " + key + "}}").stream()
        .map(group -> group.get("_id"))
        .toList();
  }

  private static BsonValue value(String json) {
    return Objects.requireNonNull(BsonDocument.parse("{v: " + json + "}").get("v"));
  }

  @Test
  void equal_numbers_of_all_types_are_one_group_which_the_first_names() {
    insert("{$numberLong: '1'}", "1", "{$numberDecimal: '1.00'}", "1.0", "2.5");
    assertThat(aggregate("{$group: {_id: '$v', n: {$sum: 1}}}"))
        .containsExactly(
            BsonDocument.parse("{_id: {$numberLong: '1'}, n: 4}"),
            BsonDocument.parse("{_id: 2.5, n: 1}"));
  }

  @Test
  void zeros_are_one_group_whatever_their_sign_and_so_are_the_numbers_that_are_none() {
    insert(
        "-0.0", "0", "{$numberDecimal: '-0'}", "{$numberDouble: 'NaN'}", "{$numberDecimal: 'NaN'}");
    assertThat(keys("'$v'")).containsExactly(value("-0.0"), value("{$numberDouble: 'NaN'}"));
  }

  @Test
  void a_missing_key_is_null() {
    insert("null", "", "{$undefined: true}", "[]");
    assertThat(keys("'$v'")).startsWith(value("null")).contains(value("[]"));
    assertThat(aggregate("{$match: {_id: {$lt: 2}}}", "{$group: {_id: '$v', n: {$count: {}}}}"))
        .containsExactly(BsonDocument.parse("{_id: null, n: 2}"));
  }

  @Test
  void documents_are_one_group_when_their_fields_are_equal_and_in_the_same_order() {
    insert("{a: 1, b: 2}", "{b: 2, a: 1}", "{a: 1.0, b: {$numberLong: '2'}}", "{a: 1}");
    assertThat(keys("'$v'"))
        .containsExactly(value("{a: 1, b: 2}"), value("{b: 2, a: 1}"), value("{a: 1}"));
  }

  @Test
  void what_is_missing_stays_out_of_a_key_of_several_fields() {
    insert("{a: 1}", "{a: 1.0, b: null}", "{a: {$numberLong: '1'}}", "{b: 1}");
    assertThat(keys("{x: '$v.a', y: '$v.b'}"))
        .containsExactly(value("{x: 1}"), value("{x: 1.0, y: null}"), value("{y: 1}"));
  }

  @Test
  void a_key_within_arrays_is_the_array_of_what_is_found() {
    insert("[{a: 1}, {a: 2}, 3]", "{a: [1, 2]}", "[[{a: 1}]]");
    assertThat(keys("'$v.a'")).containsExactly(value("[1, 2]"), value("[]"));
  }

  @Test
  void what_is_the_same_for_every_document_is_fed_for_each() {
    insert("1", "2", "3");
    assertThat(
            aggregate(
                "{$group: {_id: 'all', n: {$sum: 2.5}, c: {$count: {}}, p: {$push: 'x'},"
                    + " l: {$last: {$literal: '$v'}}, f: {$first: '$v'}, m: {$max: 7}}}"))
        .containsExactly(
            BsonDocument.parse(
                "{_id: 'all', n: 7.5, c: 3, p: ['x', 'x', 'x'], l: '$v', f: 1, m: 7}"));
  }

  @Test
  void whole_documents_and_variables_are_there_for_expressions() {
    insert("1", "2");
    AggregateRequest request =
        new AggregateRequest(
            stages(
                "{$group: {_id: '$$k', r: {$push: '$$ROOT'}, s: {$sum: {$add: ['$v', '$$k']}}}}"),
            null,
            null,
            BsonDocument.parse("{k: 10}"));
    assertThat(all(engine.snapshot().aggregate(DOCS, request, engine.operation())))
        .containsExactly(
            BsonDocument.parse("{_id: 10, r: [{_id: 0, v: 1}, {_id: 1, v: 2}], s: 23}"));
  }

  @Test
  void documents_read_in_place_group_as_those_that_are_pulled() {
    long seed = System.nanoTime();
    RandomValues random = new RandomValues(new SplittableRandom(seed));
    List<BsonDocument> documents = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      documents.add(
          new BsonDocument("_id", new BsonInt32(i))
              .append("a", random.value(3))
              .append("b", random.value(2)));
    }
    insert(documents);
    for (String match :
        List.of(
            "{}",
            "{a: {$lt: 3}}",
            "{b: {$gte: 1.5}}",
            "{'a.b': {$lte: 2}}",
            "{a: 1, b: {$ne: null}}")) {
      List<BsonDocument> pipeline =
          stages(
              "{$match: " + match + "}",
              "{$group: {_id: '$a.b', n: {$sum: 1}, s: {$sum: '$b'}, m: {$min: '$a'}, f: {$first:"
                  + " '$_id'}, l: {$last: '$b.a'}}}");
      List<BsonDocument> pulled =
          all(
              Pipeline.compile(
                      pipeline,
                      new Pipeline.Target("db", "docs"),
                      OperationContext.at(Instant.EPOCH))
                  .run(
                      DocumentCursor.of(documents.stream().map(RawBytes::raw).toList()),
                      PipelineEnvironment.NONE));
      assertThat(
              all(
                  engine
                      .snapshot()
                      .aggregate(DOCS, AggregateRequest.of(pipeline), engine.operation())))
          .as("%s, seed %s", match, seed)
          .isEqualTo(pulled)
          .isNotEmpty();
    }
  }
}
