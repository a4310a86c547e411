// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.wire.message.MalformedMessageException;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;

class ReplyHeadTest {
  private static final String EVERYTHING =
      """
      {"a": {"$oid": "507f1f77bcf86cd799439011"}, "b": "text", "c": [1, {"ok": 0}], "d": {"ok": 0, "writeConcernError": {}},
       "e": 1.5, "f": 7, "g": {"$numberLong": "8"}, "h": true, "i": null, "j": {"$date": 9}, "k": {"$binary": {"base64": "AAAA", "subType": "00"}},
       "l": {"$regularExpression": {"pattern": "p+", "options": "i"}}, "m": {"$numberDecimal": "1.5"}, "n": {"$minKey": 1}, "o": {"$maxKey": 1},
       "p": {"$code": "x"}, "q": {"$code": "y", "$scope": {"z": 1}}, "r": {"$symbol": "s"}, "s": {"$undefined": true},
       "operationTime": {"$timestamp": {"t": 5, "i": 6}}, "$clusterTime": {"clusterTime": {"$timestamp": {"t": 7, "i": 8}}},
       "ok": %s}
      """;

  private static RawBsonDocument raw(String json) {
    return new RawBsonDocument(BsonDocument.parse(json), new BsonDocumentCodec());
  }

  @Test
  void the_fields_are_found_behind_values_of_every_type() throws Exception {
    ReplyHead head = ReplyHead.of(raw(EVERYTHING.formatted("1.0")));
    assertThat(head.ok()).isTrue();
    assertThat(head.hasWriteConcernError()).isFalse();
    assertThat(head.operationTime()).isEqualTo(new BsonTimestamp(5, 6));
    assertThat(head.clusterTime())
        .isEqualTo(new BsonDocument("clusterTime", new BsonTimestamp(7, 8)));
  }

  @Test
  void ok_may_be_any_number_or_true_and_only_one_is_good() throws Exception {
    for (String good : new String[] {"1", "1.0", "{\"$numberLong\": \"1\"}", "true"}) {
      assertThat(ReplyHead.of(raw("{\"ok\": " + good + "}")).ok()).as(good).isTrue();
    }
    for (String bad : new String[] {"0", "0.0", "false", "\"1\"", "null"}) {
      assertThat(ReplyHead.of(raw("{\"ok\": " + bad + "}")).ok()).as(bad).isFalse();
    }
    assertThat(ReplyHead.of(raw("{}")).ok()).isFalse();
    assertThat(
            ReplyHead.of(raw("{\"writeConcernError\": {\"code\": 1}, \"ok\": 1}"))
                .hasWriteConcernError())
        .isTrue();
  }

  @Test
  void what_is_no_document_is_malformed_and_never_anything_else() {
    var buffer = raw(EVERYTHING.formatted("1.0")).getByteBuffer();
    byte[] good = new byte[buffer.remaining()];
    buffer.get(good);
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = good.clone();
      for (int flips = random.nextInt(3) + 1; flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        ReplyHead.of(new RawBsonDocument(bytes));
      } catch (MalformedMessageException expected) {
        assertThat(expected.getMessage()).isNotNull();
      }
    }
    byte[] cut = java.util.Arrays.copyOf(good, good.length / 2);
    assertThatThrownBy(() -> ReplyHead.of(new RawBsonDocument(cut)))
        .isInstanceOf(MalformedMessageException.class);
  }
}
