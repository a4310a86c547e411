// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.server.TestSet;
import java.time.Instant;
import java.time.InstantSource;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class TtlMonitorTest {
  private static final InstantSource FIXED = InstantSource.fixed(Instant.ofEpochSecond(1_000));

  private static TtlMonitor monitor(Server server) {
    return new TtlMonitor("test", server.engine(), server.coordinator(), FIXED);
  }

  private static void prepare(RawClient client) throws Exception {
    client.run(
        "db",
        "{createIndexes: 'c', indexes: [{key: {at: 1}, name: 'at', expireAfterSeconds: 10}],"
            + " writeConcern: {w: 'majority'}}");
    client.run(
        "db",
        "{insert: 'c', documents: [{_id: 1, at: {$date: 0}}, {_id: 2, at: {$date: 995000}},"
            + " {_id: 3}], writeConcern: {w: 'majority'}}");
  }

  private static int count(RawClient client) throws Exception {
    return client
        .run("db", "{count: 'c', $readPreference: {mode: 'primaryPreferred'}}")
        .getNumber("n")
        .intValue();
  }

  @Test
  void a_pass_deletes_what_has_expired_by_now() throws Exception {
    try (Server server = Server.start(ServerSettings.standalone(0));
        RawClient client = RawClient.of(server)) {
      prepare(client);
      TtlMonitor monitor = monitor(server);
      assertThat(monitor.pass(Instant.ofEpochSecond(1_000))).isEqualTo(1);
      assertThat(count(client)).isEqualTo(2);
      assertThat(monitor.pass(Instant.ofEpochSecond(1_006))).isEqualTo(1);
      assertThat(monitor.pass(Instant.ofEpochSecond(9_000))).isZero();
      assertThat(monitor.deletedDocuments()).isEqualTo(2);
    }
  }

  @Test
  void only_the_primary_deletes_and_the_others_follow() throws Exception {
    try (TestSet set = TestSet.start(2);
        RawClient primary = RawClient.of(set.member(0));
        RawClient secondary = RawClient.of(set.member(1))) {
      prepare(primary);
      assertThat(monitor(set.member(1)).pass(Instant.ofEpochSecond(1_000))).isZero();
      assertThat(count(secondary)).isEqualTo(3);
      assertThat(monitor(set.member(0)).pass(Instant.ofEpochSecond(1_000))).isEqualTo(1);
      primary.run("db", "{insert: 'd', documents: [{}], writeConcern: {w: 2}}");
      assertThat(count(secondary)).isEqualTo(2);
      BsonDocument status = primary.run("admin", "{serverStatus: 1}");
      assertThat(status.getDocument("metrics").containsKey("ttl")).isTrue();
    }
  }

  @Test
  void its_pause_is_a_parameter() throws Exception {
    try (Server server = Server.start(ServerSettings.standalone(0));
        RawClient client = RawClient.of(server)) {
      BsonDocument was = client.run("admin", "{setParameter: 1, ttlMonitorSleepSecs: 1}");
      assertThat(was.getNumber("was").intValue()).isEqualTo(60);
      assertThat(
              client
                  .run("admin", "{getParameter: 1, ttlMonitorSleepSecs: 1}")
                  .getNumber("ttlMonitorSleepSecs")
                  .intValue())
          .isEqualTo(1);
      client.run("admin", "{setParameter: 1, ttlMonitorEnabled: false}");
      assertThat(
              client
                  .run("admin", "{getParameter: 1, ttlMonitorEnabled: 1}")
                  .getBoolean("ttlMonitorEnabled")
                  .getValue())
          .isFalse();
      assertThat(RawClient.code(client.run("admin", "{setParameter: 1, ttlMonitorSleepSecs: 0}")))
          .isEqualTo(2);
    }
  }
}
