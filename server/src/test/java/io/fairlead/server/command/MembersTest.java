// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.server.TestSet;
import io.fairlead.server.replication.PeerDialer;
import io.fairlead.server.replication.ReplicationSettings;
import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MembersTest {
  private static TestSet set;
  private static RawClient primary;
  private static RawClient secondary;

  @BeforeAll
  static void start() throws Exception {
    set = TestSet.start(3);
    primary = RawClient.of(set.member(0));
    secondary = RawClient.of(set.member(1));
    BsonDocument reply =
        primary.run(
            "db", "{insert: 'c', documents: [{_id: 1}], writeConcern: {w: 3, wtimeout: 20000}}");
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
    assertThat(reply).doesNotContainKey("writeConcernError");
  }

  @AfterAll
  static void stop() {
    primary.close();
    secondary.close();
    set.close();
  }

  @Test
  void a_secondary_refuses_reads_that_ask_for_the_primary() throws Exception {
    assertThat(RawClient.code(secondary.run("db", "{find: 'c'}"))).isEqualTo(13435);
    assertThat(
            RawClient.code(secondary.run("db", "{find: 'c', $readPreference: {mode: 'primary'}}")))
        .isEqualTo(13435);
    assertThat(RawClient.code(secondary.run("db", "{aggregate: 'c', pipeline: [], cursor: {}}")))
        .isEqualTo(13435);
    assertThat(RawClient.code(secondary.run("db", "{listCollections: 1}"))).isEqualTo(13435);
  }

  @Test
  void a_secondary_answers_every_other_mode_with_data() throws Exception {
    for (String mode :
        new String[] {"primaryPreferred", "secondary", "secondaryPreferred", "nearest"}) {
      BsonDocument reply =
          secondary.run("db", "{find: 'c', $readPreference: {mode: '" + mode + "'}}");
      assertThat(RawClient.isOk(reply)).as(mode + " " + reply.toJson()).isTrue();
      assertThat(reply.getDocument("cursor").getArray("firstBatch")).hasSize(1);
    }
  }

  @Test
  void a_secondary_refuses_writes_and_says_its_topology_version() throws Exception {
    BsonDocument reply = secondary.run("db", "{insert: 'c', documents: [{_id: 2}]}");
    assertThat(RawClient.code(reply)).isEqualTo(10107);
    assertThat(reply).containsKey("topologyVersion");
  }

  @Test
  void what_a_pipeline_on_a_secondary_writes_is_written_by_the_primary() throws Exception {
    BsonDocument out =
        secondary.run(
            "db",
            "{aggregate: 'c', pipeline: [{$set: {from: 'secondary', text: '$literal'}}, {$out:"
                + " 'copied'}], cursor: {}, $readPreference: {mode: 'secondary'}}");
    assertThat(RawClient.isOk(out)).as(out.toJson()).isTrue();
    assertThat(out.getDocument("cursor").getArray("firstBatch")).isEmpty();

    BsonDocument found = primary.run("db", "{find: 'copied', filter: {from: 'secondary'}}");
    assertThat(found.getDocument("cursor").getArray("firstBatch")).hasSize(1);

    BsonDocument causal =
        BsonDocument.parse("{find: 'copied', $readPreference: {mode: 'secondary'}}")
            .append("readConcern", new BsonDocument("afterClusterTime", out.get("operationTime")));
    assertThat(secondary.run("db", causal).getDocument("cursor").getArray("firstBatch")).hasSize(1);
  }

  @Test
  void an_empty_result_empties_the_collection_through_a_secondary_too() throws Exception {
    primary.run("db", "{insert: 'emptied', documents: [{_id: 1}]}");
    BsonDocument out =
        secondary.run(
            "db",
            "{aggregate: 'c', pipeline: [{$match: {no: 1}}, {$out: 'emptied'}], cursor: {},"
                + " $readPreference: {mode: 'secondary'}}");
    assertThat(RawClient.isOk(out)).as(out.toJson()).isTrue();
    assertThat(primary.run("db", "{count: 'emptied'}").getNumber("n").intValue()).isZero();
  }

  @Test
  void what_the_primary_refuses_of_a_pipeline_on_a_secondary_is_refused_with_its_words()
      throws Exception {
    primary.run("db", "{insert: 'taken', documents: [{_id: 1}]}");
    BsonDocument merge =
        secondary.run(
            "db",
            "{aggregate: 'c', pipeline: [{$merge: {into: 'taken', whenMatched: 'fail'}}], cursor:"
                + " {}, $readPreference: {mode: 'secondary'}}");
    assertThat(RawClient.code(merge)).as(merge.toJson()).isEqualTo(11000);
    assertThat(merge).containsKey("keyValue");
  }

  @Test
  void a_write_concern_travels_with_a_pipeline_on_a_secondary() throws Exception {
    BsonDocument merge =
        secondary.run(
            "db",
            "{aggregate: 'c', pipeline: [{$merge: 'concerned'}], cursor: {}, writeConcern: {w: 9,"
                + " wtimeout: 100}, $readPreference: {mode: 'secondary'}}");
    assertThat(RawClient.isOk(merge)).as(merge.toJson()).isTrue();
    assertThat(merge.getDocument("writeConcernError").getNumber("code").intValue()).isEqualTo(100);
    assertThat(primary.run("db", "{count: 'concerned'}").getNumber("n").intValue()).isEqualTo(1);
  }

  @Test
  void the_local_database_may_be_read_on_any_member() throws Exception {
    BsonDocument reply = secondary.run("local", "{find: 'oplog.rs', limit: 1}");
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
    assertThat(reply.getDocument("cursor").getArray("firstBatch")).hasSize(1);
  }

  @Test
  void commands_of_every_member_run_on_secondaries() throws Exception {
    for (String command :
        new String[] {"{hello: 1}", "{ping: 1}", "{serverStatus: 1}", "{replSetGetStatus: 1}"}) {
      assertThat(RawClient.isOk(secondary.run("admin", command))).as(command).isTrue();
    }
  }

  @Test
  void a_primary_preference_with_tags_is_refused_everywhere() throws Exception {
    String find = "{find: 'c', $readPreference: {mode: 'primary', tags: [{a: 'b'}]}}";
    assertThat(RawClient.code(primary.run("db", find))).isEqualTo(2);
    assertThat(RawClient.code(secondary.run("db", find))).isEqualTo(2);
  }

  @Test
  void majority_and_linearizable_reads_see_what_was_acknowledged() throws Exception {
    primary.run(
        "db",
        "{insert: 'm', documents: [{_id: 1}], writeConcern: {w: 'majority', wtimeout: 20000}}");
    for (String level : new String[] {"local", "available", "majority", "linearizable"}) {
      BsonDocument reply =
          primary.run("db", "{find: 'm', readConcern: {level: '" + level + "'}, maxTimeMS: 20000}");
      assertThat(RawClient.isOk(reply)).as(level + " " + reply.toJson()).isTrue();
      assertThat(reply.getDocument("cursor").getArray("firstBatch")).as(level).hasSize(1);
    }
  }

  @Test
  void a_write_concern_that_cannot_be_met_is_reported_and_the_write_stands() throws Exception {
    BsonDocument reply =
        primary.run(
            "db", "{insert: 'w', documents: [{_id: 1}], writeConcern: {w: 9, wtimeout: 100}}");
    assertThat(RawClient.isOk(reply)).isTrue();
    assertThat(reply.getDocument("writeConcernError").getNumber("code").intValue()).isEqualTo(100);
    assertThat(primary.run("db", "{count: 'w'}").getNumber("n").intValue()).isEqualTo(1);
  }

  @Test
  void a_member_without_a_set_is_neither_primary_nor_secondary() throws Exception {
    ReplicationSettings replication =
        new ReplicationSettings(
            "lonely",
            "lonely.inprocess:27017",
            null,
            false,
            PeerDialer.DIRECT,
            16L << 20,
            Duration.ofSeconds(5));
    try (Server server =
            Server.start(
                ServerSettings.replicaSetMember(replication, 0)
                    .at("lonely.inprocess", 27017)
                    .withTransport(ServerSettings.Transport.IN_PROCESS));
        RawClient client = RawClient.of(server)) {
      assertThat(RawClient.code(client.run("db", "{find: 'c'}"))).isEqualTo(13435);
      assertThat(
              RawClient.code(client.run("db", "{find: 'c', $readPreference: {mode: 'nearest'}}")))
          .isEqualTo(13436);
      assertThat(RawClient.code(client.run("db", "{insert: 'c', documents: [{}]}")))
          .isEqualTo(10107);
      assertThat(RawClient.isOk(client.run("admin", "{hello: 1}"))).isTrue();
    }
  }
}
