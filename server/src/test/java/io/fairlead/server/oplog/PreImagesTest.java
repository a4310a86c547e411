// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.TestSet;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

class PreImagesTest {
  private static List<BsonDocument> images(RawClient client) throws Exception {
    BsonDocument reply =
        client.run(
            "config",
            "{find: 'system.preimages', sort: {'_id.ts': 1}, $readPreference: {mode:"
                + " 'primaryPreferred'}}");
    return reply.getDocument("cursor").getArray("firstBatch").stream()
        .map(BsonValue::asDocument)
        .toList();
  }

  @Test
  void every_member_keeps_what_documents_were_before_their_changes() throws Exception {
    try (TestSet set = TestSet.start(2);
        RawClient primary = RawClient.of(set.member(0));
        RawClient secondary = RawClient.of(set.member(1))) {
      primary.run("db", "{create: 'c', changeStreamPreAndPostImages: {enabled: true}}");
      primary.run("db", "{insert: 'c', documents: [{_id: 1, a: 1}, {_id: 2}]}");
      primary.run("db", "{insert: 'd', documents: [{_id: 1}]}");
      primary.run("db", "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {a: 2}}}]}");
      primary.run("db", "{update: 'd', updates: [{q: {_id: 1}, u: {$set: {a: 2}}}]}");
      primary.run("db", "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}], writeConcern: {w: 2}}");
      List<BsonDocument> kept = images(primary);
      assertThat(kept.stream().map(image -> image.get("preImage")))
          .containsExactly(
              BsonDocument.parse("{_id: 1, a: 1}"), BsonDocument.parse("{_id: 1, a: 2}"));
      assertThat(kept.getFirst().getDocument("_id").keySet())
          .containsExactly("nsUUID", "ts", "applyOpsIndex");
      assertThat(images(secondary)).isEqualTo(kept);
      primary.run("db", "{collMod: 'c', changeStreamPreAndPostImages: {enabled: false}}");
      primary.run("db", "{delete: 'c', deletes: [{q: {_id: 2}, limit: 1}]}");
      assertThat(images(primary)).hasSize(2);
    }
  }
}
