// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

final class RoutingTableTest {

  private static final OperationContext CONTEXT = OperationContext.at(Instant.EPOCH);
  private final RoutingTable ranged = table("{a: 1}", "s0", "lowest", "s1", 10, "s2", 20, "s0", 30);
  private final RoutingTable compound = table("{a: 1, b: 1}", "s0", "lowest", "s1", 10);
  private final RoutingTable hashed = hashedTable();

  @Test
  void a_chunk_has_its_lower_bound_and_not_its_upper() {
    assertThat(ranged.chunkOf(key(9)).shard()).isEqualTo("s0");
    assertThat(ranged.chunkOf(key(10)).shard()).isEqualTo("s1");
    assertThat(ranged.chunkOf(key(19)).shard()).isEqualTo("s1");
    assertThat(ranged.chunkOf(key(30)).shard()).isEqualTo("s0");
    assertThat(ranged.chunkOf(new BsonValue[] {BsonNull.VALUE}).shard()).isEqualTo("s0");
    assertThat(ranged.chunkOf(new BsonValue[] {new BsonString("x")}).shard()).isEqualTo("s0");
  }

  @Test
  void equality_and_in_go_to_the_shards_of_their_values() {
    assertThat(shards(ranged, "{a: 15}")).containsExactly("s1");
    assertThat(shards(ranged, "{a: {$eq: 15}, x: {$gt: 1}}")).containsExactly("s1");
    assertThat(shards(ranged, "{a: {$in: [15, 25]}}")).containsExactly("s1", "s2");
    assertThat(shards(ranged, "{$and: [{a: 15}, {x: 1}]}")).containsExactly("s1");
    assertThat(shards(ranged, "{$or: [{a: 15}, {a: 25}]}")).containsExactly("s1", "s2");
  }

  @Test
  void a_range_goes_to_the_shards_that_it_touches() {
    assertThat(shards(ranged, "{a: {$gte: 12, $lt: 18}}")).containsExactly("s1");
    assertThat(shards(ranged, "{a: {$gte: 12, $lt: 22}}")).containsExactly("s1", "s2");
    assertThat(shards(ranged, "{a: {$lt: 5}}")).containsExactly("s0");
  }

  @Test
  void what_says_nothing_of_the_key_goes_everywhere() {
    assertThat(shards(ranged, "{}")).containsExactly("s0", "s1", "s2");
    assertThat(shards(ranged, "{x: 1}")).containsExactly("s0", "s1", "s2");
    assertThat(shards(ranged, "{$or: [{a: 15}, {x: 1}]}")).containsExactly("s0", "s1", "s2");
    assertThat(shards(ranged, "{a: {$ne: 15}}")).containsExactly("s0", "s1", "s2");
    assertThat(shards(ranged, "{a: /x/}")).containsExactly("s0", "s1", "s2");
    assertThat(Targeting.shards(ranged, BsonDocument.parse("{a: 'x'}"), true, CONTEXT))
        .containsExactly("s0", "s1", "s2");
  }

  @Test
  void a_prefix_of_a_compound_key_narrows_and_the_whole_key_fixes() {
    assertThat(shards(compound, "{a: 11}")).containsExactly("s1");
    assertThat(Targeting.fixedKey(compound, BsonDocument.parse("{a: 11}"), false, CONTEXT))
        .isNull();
    assertThat(Targeting.fixedKey(compound, BsonDocument.parse("{b: 2, a: 11}"), false, CONTEXT))
        .containsExactly(new BsonInt32(11), new BsonInt32(2));
  }

  @Test
  void a_hashed_key_is_found_by_equality_only() {
    assertThat(shards(hashed, "{_id: 5}")).hasSize(1);
    assertThat(shards(hashed, "{_id: {$gt: 5}}")).containsExactly("s0", "s1");
  }

  @Test
  void documents_and_filters_agree_about_the_shard() {
    for (int i = 0; i < 200; i++) {
      BsonDocument document = BsonDocument.parse("{_id: 'k" + i + "'}");
      assertThat(shards(hashed, document.toJson()))
          .containsExactly(hashed.chunkOf(hashed.key().of(document)).shard());
    }
  }

  @Test
  void a_hashed_collection_is_spread_evenly() {
    long onFirst =
        java.util.stream.IntStream.range(0, 2000)
            .filter(
                i ->
                    hashed
                        .chunkOf(hashed.key().of(new BsonDocument("_id", new BsonInt32(i))))
                        .shard()
                        .equals("s0"))
            .count();
    assertThat(onFirst).isBetween(900L, 1100L);
  }

  @Test
  void equal_numbers_of_different_types_hash_alike_and_a_missing_value_like_null() {
    long five = io.fairlead.engine.value.ValueHash.of(new BsonInt32(5));
    assertThat(io.fairlead.engine.value.ValueHash.of(new BsonInt64(5))).isEqualTo(five);
    assertThat(io.fairlead.engine.value.ValueHash.of(new BsonDouble(5))).isEqualTo(five);
    assertThat(
            io.fairlead.engine.value.ValueHash.of(new org.bson.BsonDecimal128(new Decimal128(5))))
        .isEqualTo(five);
    assertThat(io.fairlead.engine.value.ValueHash.of(null))
        .isEqualTo(io.fairlead.engine.value.ValueHash.of(BsonNull.VALUE));
    assertThat(io.fairlead.engine.value.ValueHash.of(new BsonString("5"))).isNotEqualTo(five);
  }

  @Test
  void an_array_is_no_shard_key_value() {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> ranged.key().of(BsonDocument.parse("{a: [1]}")))
        .satisfies(error -> assertThat(error.code()).isEqualTo(61));
  }

  @Test
  void overlapping_chunks_end_where_the_next_begins() {
    assertThat(ranged.rangesOf("s1"))
        .containsExactly(BsonDocument.parse("{min: {a: 10}, max: {a: 20}}"));
    assertThat(ranged.versionOf("s3").getTimestamp("v")).isEqualTo(new BsonTimestamp(0, 0));
    assertThat(ranged.versionOf("s0").getTimestamp("v")).isEqualTo(new BsonTimestamp(1, 4));
  }

  private static Collection<String> shards(RoutingTable table, String filter) {
    return Targeting.shards(table, BsonDocument.parse(filter), false, CONTEXT);
  }

  private static BsonValue[] key(int value) {
    return new BsonValue[] {new BsonInt32(value)};
  }

  private static RoutingTable table(String pattern, Object... shardsAndBounds) {
    ShardKey key = ShardKey.parse(BsonDocument.parse(pattern));
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < shardsAndBounds.length; i += 2) {
      BsonValue[] min = key.lowest();
      if (shardsAndBounds[i + 1] instanceof Integer bound) {
        min[0] = new BsonInt32(bound);
      }
      chunks.add(
          new Chunk(
              new BsonInt32(i), min, (String) shardsAndBounds[i], new BsonTimestamp(1, i / 2 + 1)));
    }
    return new RoutingTable(
        "d.c",
        new BsonBinary(new byte[16]),
        key,
        false,
        new ObjectId(),
        new BsonTimestamp(1, 1),
        chunks);
  }

  private static RoutingTable hashedTable() {
    ShardKey key = ShardKey.parse(BsonDocument.parse("{_id: 'hashed'}"));
    List<Chunk> chunks =
        List.of(
            new Chunk(
                new BsonInt32(0),
                new BsonValue[] {new BsonMinKey()},
                "s0",
                new BsonTimestamp(1, 1)),
            new Chunk(
                new BsonInt32(1),
                new BsonValue[] {new BsonInt64(0)},
                "s1",
                new BsonTimestamp(1, 2)));
    return new RoutingTable(
        "d.h",
        new BsonBinary(new byte[16]),
        key,
        false,
        new ObjectId(),
        new BsonTimestamp(1, 1),
        chunks);
  }
}
