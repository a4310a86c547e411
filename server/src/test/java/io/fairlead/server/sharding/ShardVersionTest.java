// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShardVersionTest {
  private static final String NONE =
      "{e: {$oid: '000000000000000000000000'}, t: {$timestamp: {t: 0, i: 0}}, v: {$timestamp: {t:"
          + " 0, i: 0}}}";
  private static final String ONE =
      "{e: {$oid: '0000000000000000000000aa'}, t: {$timestamp: {t: 5, i: 0}}, v: {$timestamp: {t:"
          + " 1, i: 0}}}";
  private static final String TWO =
      "{e: {$oid: '0000000000000000000000aa'}, t: {$timestamp: {t: 5, i: 0}}, v: {$timestamp: {t:"
          + " 2, i: 0}}}";

  private Server server;
  private RawClient router;

  @BeforeEach
  void start() throws Exception {
    server =
        Server.start(
            ServerSettings.standalone(0).withClusterRole(ServerSettings.ClusterRole.SHARD));
    router = RawClient.of(server);
  }

  @AfterEach
  void stop() {
    router.close();
    server.close();
  }

  private BsonDocument find(String version) throws Exception {
    return router.run("db", "{find: 'c', shardVersion: " + version + "}");
  }

  private void tell(String version) throws Exception {
    BsonDocument reply =
        router.run(
            "admin",
            "{_fairleadSetShardVersion: 'db.c', collection: {key: {k: 1}, version: "
                + version
                + ", ranges: []}}");
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
  }

  @Test
  void an_unsharded_collection_is_read_by_the_version_that_says_so() throws Exception {
    assertThat(RawClient.isOk(find(NONE))).isTrue();
    assertThat(RawClient.code(find(ONE))).isEqualTo(13388);
  }

  @Test
  void a_router_and_a_shard_that_know_different_versions_find_out() throws Exception {
    tell(ONE);
    assertThat(RawClient.isOk(find(ONE))).isTrue();
    BsonDocument stale = find(TWO);
    assertThat(RawClient.code(stale)).isEqualTo(13388);
    assertThat(stale.getString("ns").getValue()).isEqualTo("db.c");
    assertThat(stale.getDocument("vWanted")).isEqualTo(BsonDocument.parse(ONE));
    assertThat(RawClient.code(find(NONE))).isEqualTo(13388);

    tell(TWO);
    assertThat(RawClient.isOk(find(TWO))).isTrue();
    router.run("admin", "{_fairleadSetShardVersion: 'db.c', dropped: true}");
    assertThat(RawClient.isOk(find(NONE))).isTrue();
  }

  @Test
  void a_stale_write_writes_nothing() throws Exception {
    tell(ONE);
    BsonDocument reply =
        router.run("db", "{insert: 'c', documents: [{_id: 1}], shardVersion: " + TWO + "}");
    assertThat(RawClient.code(reply)).isEqualTo(13388);
    assertThat(router.run("db", "{count: 'c'}").getNumber("n").intValue()).isZero();
  }

  @Test
  void commands_that_come_directly_are_not_checked() throws Exception {
    tell(ONE);
    assertThat(RawClient.isOk(router.run("db", "{find: 'c'}"))).isTrue();
  }

  @Test
  void database_versions_are_compared_where_one_is_known() throws Exception {
    String first =
        "{uuid: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAQ==', subType: '04'}}, lastMod: 1}";
    String second =
        "{uuid: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAQ==', subType: '04'}}, lastMod: 2}";
    assertThat(RawClient.isOk(router.run("db", "{find: 'c', databaseVersion: " + first + "}")))
        .isTrue();
    router.run("admin", "{_fairleadSetDatabaseVersion: 'db', version: " + second + "}");
    assertThat(RawClient.code(router.run("db", "{find: 'c', databaseVersion: " + first + "}")))
        .isEqualTo(249);
    assertThat(RawClient.isOk(router.run("db", "{find: 'c', databaseVersion: " + second + "}")))
        .isTrue();
  }

  @Test
  void a_view_on_a_sharded_collection_is_not_read_in_part() throws Exception {
    router.run("db", "{create: 'v', viewOn: 'd', pipeline: [{$unionWith: 'c'}]}");
    router.run("db", "{create: 'w', viewOn: 'v'}");
    String find = "{find: 'w', shardVersion: " + NONE + "}";
    assertThat(RawClient.isOk(router.run("db", find))).isTrue();
    tell(ONE);
    assertThat(RawClient.code(router.run("db", find))).isEqualTo(169);
    String lookup =
        "{aggregate: 'd', pipeline: [{$lookup: {from: 'v', as: 'x', pipeline: []}}], cursor: {},"
            + " shardVersion: "
            + NONE
            + "}";
    assertThat(RawClient.code(router.run("db", lookup))).isEqualTo(169);
    assertThat(RawClient.isOk(router.run("db", "{find: 'd', shardVersion: " + NONE + "}")))
        .isTrue();
    assertThat(RawClient.isOk(router.run("db", "{drop: 'w'}"))).isTrue();
  }
}
