// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

final class SpliceTest {

  private static final String EVERY_TYPE =
      """
      {double: 1.5, string: 'text', document: {a: {b: [1, 2, {c: 3}]}}, array: [], binary: {$binary: {base64: 'AAEC', subType: '00'}}, undefined: {$undefined: true},
       id: {$oid: '0123456789abcdef01234567'}, bool: true, date: {$date: 0}, null: null, regex: /a/i, pointer: DBPointer('c', '0123456789abcdef01234567'),
       code: {$code: 'x'}, symbol: {$symbol: 's'}, scoped: {$code: 'x', $scope: {a: 1}}, int32: 1, timestamp: {$timestamp: {t: 1, i: 2}},
       int64: {$numberLong: '5'}, decimal: {$numberDecimal: '1.5'}, min: {$minKey: 1}, max: {$maxKey: 1}, last: 1}
      """;

  @Test
  void any_field_can_be_left_out_and_others_put_at_the_end() {
    BsonDocument whole = BsonDocument.parse(EVERY_TYPE);
    for (String name : whole.keySet()) {
      BsonDocument expected = whole.clone();
      expected.remove(name);
      expected.append("extra", BsonDocument.parse("{a: 1}"));
      BsonDocument spliced =
          Splice.of(
              RawBsonDocument.parse(EVERY_TYPE),
              Set.of(name),
              BsonDocument.parse("{extra: {a: 1}}"));
      assertThat(spliced).as(name).isEqualTo(expected);
    }
  }

  @Test
  void a_document_inside_another_array_of_bytes_is_spliced_as_well() {
    RawBsonDocument inner =
        (RawBsonDocument)
            RawBsonDocument.parse("{before: 1, inner: {a: 1, b: 2}}").getDocument("inner");
    assertThat(Splice.of(inner, Set.of("a"), BsonDocument.parse("{c: 3}")))
        .isEqualTo(BsonDocument.parse("{b: 2, c: 3}"));
  }

  @Test
  void everything_can_be_left_out() {
    assertThat(
            Splice.of(RawBsonDocument.parse("{a: 1, b: 2}"), Set.of("a", "b"), new BsonDocument()))
        .isEqualTo(new BsonDocument());
  }

  @Test
  void a_cursors_number_is_read_and_changed_in_place_on_a_copy() {
    RawBsonDocument reply =
        RawBsonDocument.parse(
            "{cursor: {firstBatch: [{id: {$numberLong: '1'}}], id: {$numberLong: '7'}, ns: 'd.c'},"
                + " ok: 1}");
    RawBsonDocument changed = Splice.withCursorId(reply, -9_000_000_000L);
    assertThat(Splice.cursorId(reply)).isEqualTo(7);
    assertThat(Splice.cursorId(changed)).isEqualTo(-9_000_000_000L);
    assertThat(changed.getDocument("cursor").getArray("firstBatch"))
        .isEqualTo(reply.getDocument("cursor").getArray("firstBatch"));
    assertThat(Splice.cursorId(RawBsonDocument.parse("{ok: 1}"))).isZero();
  }

  @Test
  void fields_can_be_put_in_front() {
    RawBsonDocument changed =
        Splice.prepended(RawBsonDocument.parse("{b: 2}"), BsonDocument.parse("{a: 1}"));
    assertThat(changed.keySet()).containsExactly("a", "b");
  }
}
