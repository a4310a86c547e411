// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.value.RawBytes;
import java.time.Instant;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates that may happen in a copy of the bytes do the same as those that may not. */
final class OverwritingTest {
  private static final OperationContext NOW = OperationContext.at(Instant.EPOCH);
  private static final Matcher ALL = Matcher.compile(new BsonDocument(), NOW);
  private static final String BEFORE =
      "{_id: 1, i: 5, l: {$numberLong: '7'}, d: 1.5, b: false, t: {$date: 0}, s: 'x', o: {i: 1}, a:"
          + " [1], top: 2147483647, last: {$numberLong: '9223372036854775807'}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{$inc: {i: 2}} | i | 7",
        "{$inc: {l: 2}} | l | {$numberLong: '9'}",
        "{$inc: {d: 2}} | d | 3.5",
        "{$inc: {i: {$numberLong: '2'}}} | i | {$numberLong: '7'}",
        "{$inc: {i: 0.5}} | i | 5.5",
        "{$inc: {top: 1}} | top | {$numberLong: '2147483648'}",
        "{$set: {i: 6}} | i | 6",
        "{$set: {i: 'six'}} | i | 'six'",
        "{$set: {b: true}} | b | true",
        "{$set: {t: {$date: 5}}} | t | {$date: 5}",
        "{$set: {d: 2.5, i: 1}, $inc: {l: -7}} | l | {$numberLong: '0'}",
        "{$set: {n: 1}} | n | 1",
        "{$inc: {n: 1}} | n | 1",
        "{$mul: {i: 2}} | i | 10",
        "{$set: {'o.i': 2}} | o | {i: 2}",
        "{$setOnInsert: {i: 9}} | i | 5",
      })
  void the_field_is_changed_and_nothing_else(String update, String field, String value) {
    RawBsonDocument before = RawBytes.raw(BsonDocument.parse(BEFORE));
    BsonDocument kept = BsonDocument.parse(BEFORE);
    Update compiled = Update.compile(BsonDocument.parse(update), List.of(), NOW);
    RawBsonDocument after = new RawBsonDocument(compiled.apply(BsonBytes.of(before), () -> ALL));
    BsonDocument wanted = BsonDocument.parse(BEFORE);
    wanted.put(field, BsonDocument.parse("{v: " + value + "}").get("v"));
    if (update.contains("d: 2.5")) {
      wanted.putAll(BsonDocument.parse("{d: 2.5, i: 1}"));
    }
    assertThat(after.toJson()).isEqualTo(wanted.toJson());
    assertThat(before.toJson()).as("what was there is not touched").isEqualTo(kept.toJson());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{$inc: {last: 1}} | 2",
        "{$inc: {s: 1}} | 14",
        "{$set: {_id: 2}} | 66",
        "{$inc: {_id: 1}} | 66"
      })
  void what_is_refused_is_refused_all_the_same(String update, int code) {
    RawBsonDocument before = RawBytes.raw(BsonDocument.parse(BEFORE));
    Update compiled = Update.compile(BsonDocument.parse(update), List.of(), NOW);
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> compiled.apply(BsonBytes.of(before), () -> ALL))
        .isInstanceOfSatisfying(
            io.fairlead.engine.error.EngineException.class,
            error -> assertThat(error.code()).isEqualTo(code));
  }
}
