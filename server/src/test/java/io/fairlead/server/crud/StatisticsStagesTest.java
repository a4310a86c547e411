// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $collStats}, {@code collStats} and {@code $indexStats}. */
final class StatisticsStagesTest {
  private static Server server;
  private static RawClient client;

  @BeforeAll
  static void start() throws Exception {
    server = Server.start(ServerSettings.standalone(0));
    client = RawClient.of(server);
    run("{create: 'c', capped: true, size: 8192, max: 50}");
    run("{insert: 'c', documents: [{_id: 1, a: 1, t: 'some text'}, {_id: 2, a: 2, t: 'more'}]}");
    run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1', sparse: true}]}");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static BsonDocument run(String command) throws Exception {
    return client.run("test", command);
  }

  private static List<BsonValue> aggregate(String stages) throws Exception {
    BsonDocument reply = run("{aggregate: 'c', pipeline: [" + stages + "], cursor: {}}");
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
    return reply.getDocument("cursor").getArray("firstBatch");
  }

  @Test
  void index_statistics_tell_uses_and_specifications() throws Exception {
    String uses = "{$indexStats: {}}, {$match: {name: 'a_1'}}";
    long before =
        aggregate(uses).getFirst().asDocument().getDocument("accesses").getInt64("ops").getValue();
    run("{find: 'c', filter: {a: 1}}");
    run("{update: 'c', updates: [{q: {a: 2}, u: {$set: {b: 1}}}]}");
    BsonDocument index = aggregate(uses).getFirst().asDocument();
    assertThat(index.keySet()).containsExactly("name", "key", "host", "accesses", "spec");
    assertThat(index.getDocument("accesses").getInt64("ops").getValue()).isEqualTo(before + 2);
    assertThat(index.getDocument("spec"))
        .isEqualTo(BsonDocument.parse("{v: 2, key: {a: 1}, name: 'a_1', sparse: true}"));
    assertThat(aggregate("{$indexStats: {}}")).hasSize(2);
  }

  @Test
  void sizes_are_scaled_and_averages_are_not() throws Exception {
    BsonDocument plain =
        aggregate("{$collStats: {storageStats: {}}}")
            .getFirst()
            .asDocument()
            .getDocument("storageStats");
    BsonDocument scaled =
        aggregate("{$collStats: {storageStats: {scale: 10}}}")
            .getFirst()
            .asDocument()
            .getDocument("storageStats");
    for (String size : List.of("size", "storageSize", "totalIndexSize", "totalSize", "maxSize")) {
      assertThat(scaled.getInt64(size).getValue())
          .as(size)
          .isEqualTo(plain.getInt64(size).getValue() / 10);
    }
    for (String same : List.of("count", "avgObjSize", "nindexes", "capped", "max")) {
      assertThat(scaled.get(same)).as(same).isEqualTo(plain.get(same));
    }
    assertThat(plain.getDocument("indexSizes").keySet()).containsExactly("_id_", "a_1");
    assertThat(scaled.getInt32("scaleFactor").getValue()).isEqualTo(10);
    assertThat(plain.getInt64("maxSize").getValue()).isEqualTo(8192);
  }

  @Test
  void the_command_tells_what_the_stage_tells() throws Exception {
    BsonDocument command = run("{collStats: 'c', scale: 3}");
    BsonDocument stage =
        aggregate("{$collStats: {storageStats: {scale: 3}}}")
            .getFirst()
            .asDocument()
            .getDocument("storageStats");
    assertThat(command).containsAllEntriesOf(stage);
    assertThat(command.getBoolean("capped").getValue()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{$collStats: {storageStats: {scale: 0}}} | 51024",
        "{$collStats: {storageStats: {scale: 'x'}}} | 14",
        "{$collStats: {storageStats: {nope: 1}}} | 40415",
        "{$collStats: {count: 1}} | 14",
        "{$collStats: {count: {a: 1}}} | 40415",
        "{$collStats: {nope: {}}} | 40415",
        "{$collStats: {latencyStats: {}}} | 20",
        "{$collStats: 1} | 40166",
        "{$indexStats: {a: 1}} | 28803",
        "{$indexStats: 1} | 28803",
        "{$planCacheStats: {}} | 40324",
      })
  void what_cannot_be_told_is_refused(String stage, int code) throws Exception {
    BsonDocument reply = run("{aggregate: 'c', pipeline: [" + stage + "], cursor: {}}");
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isFalse();
    assertThat(RawClient.code(reply)).as(reply.toJson()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "planCacheClear",
    "planCacheListFilters",
    "planCacheSetFilter",
    "planCacheClearFilters"
  })
  void commands_about_cached_plans_are_unknown(String name) throws Exception {
    BsonDocument reply = run("{" + name + ": 'c'}");
    assertThat(RawClient.code(reply)).isEqualTo(59);
  }
}
