// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.state.StoreEngine;
import io.fairlead.server.HeldDisk;
import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.server.TestSet;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskOfAMemberTest {
  private static final Namespace LOG = Namespace.of("local", "oplog.rs");

  @TempDir Path temp;
  private final HeldDisk disk = new HeldDisk();

  private Engine kept(int member) {
    return StoreEngine.open(EngineOptions.defaults(), temp.resolve("member-" + member), disk);
  }

  private static BsonDocument insert(RawClient client, int id, String more) throws Exception {
    return client.run("shop", "{insert: 'orders', documents: [{_id: " + id + "}], " + more + "}");
  }

  private static int errorOf(BsonDocument reply) {
    return reply.getDocument("writeConcernError").getInt32("code").getValue();
  }

  private void expectBounded(RawClient client) throws Exception {
    disk.hold();
    try {
      BsonDocument timeout = insert(client, 1, "writeConcern: {w: 1, j: true, wtimeout: 100}");
      assertThat(timeout.getInt32("n").getValue()).isEqualTo(1);
      assertThat(errorOf(timeout)).isEqualTo(64);
      assertThat(
              timeout
                  .getDocument("writeConcernError")
                  .getDocument("errInfo")
                  .getBoolean("wtimeout")
                  .getValue())
          .isTrue();
      BsonDocument operation = insert(client, 2, "writeConcern: {w: 1, j: true}, maxTimeMS: 300");
      assertThat(errorOf(operation)).isEqualTo(50);
      BsonDocument majority = insert(client, 3, "writeConcern: {w: 'majority', wtimeout: 100}");
      assertThat(errorOf(majority)).isEqualTo(64);
    } finally {
      disk.letGo();
    }
    assertThat(insert(client, 4, "writeConcern: {w: 1, j: true}"))
        .doesNotContainKey("writeConcernError");
  }

  @Test
  void a_wait_for_the_journal_of_a_standalone_ends_with_its_time() throws Exception {
    try (Engine data = kept(0);
        Server server =
            Server.start(
                ServerSettings.standalone(0).withTransport(ServerSettings.Transport.TCP), data);
        RawClient client = RawClient.of(server)) {
      expectBounded(client);
    }
  }

  @Test
  void a_wait_for_the_journal_of_a_primary_ends_with_its_time() throws Exception {
    try (TestSet set = TestSet.start(1, this::kept);
        RawClient client = RawClient.of(set.member(0))) {
      expectBounded(client);
    }
  }

  @Test
  void a_primary_whose_disk_is_full_lets_another_lead_and_follows_when_there_is_room()
      throws Exception {
    IntFunction<Engine> data =
        member -> member == 0 ? kept(member) : Engine.open(EngineOptions.defaults());
    try (TestSet set = TestSet.start(3, data)) {
      try (RawClient primary = RawClient.of(set.member(0))) {
        insert(primary, 1, "writeConcern: {w: 3}");
        disk.fill();
        // in memory it is committed, then the journal fails, and no more is let in
        insert(primary, 2, "writeConcern: {w: 1, j: true}");
        assertThat(insert(primary, 3, "writeConcern: {w: 1}").getInt32("code").getValue())
            .as("refused for its disk, or because another leads already")
            .isIn(14031, 10107);
      }
      try (RawClient primary = RawClient.of(set.member(set.awaitSuccessorOf(0)))) {
        assertThat(insert(primary, 4, "writeConcern: {w: 'majority'}"))
            .doesNotContainKey("writeConcernError");
        disk.makeRoom();
        assertThat(insert(primary, 5, "writeConcern: {w: 3, wtimeout: 30000}"))
            .doesNotContainKey("writeConcernError");
      }
    }
  }

  @Test
  void a_follower_whose_disk_is_full_stays_where_it_is_and_goes_on_when_there_is_room()
      throws Exception {
    IntFunction<Engine> data =
        member -> member == 2 ? kept(member) : Engine.open(EngineOptions.defaults());
    try (TestSet set = TestSet.start(3, data);
        RawClient primary = RawClient.of(set.member(0))) {
      insert(primary, 1, "writeConcern: {w: 3}");
      disk.fill();
      for (int id = 2; id < 20; id++) {
        assertThat(insert(primary, id, "writeConcern: {w: 'majority'}"))
            .doesNotContainKey("writeConcernError");
      }
      assertThat(errorOf(insert(primary, 20, "writeConcern: {w: 3, wtimeout: 200}"))).isEqualTo(64);
      disk.makeRoom();
      assertThat(insert(primary, 21, "writeConcern: {w: 3, wtimeout: 30000}"))
          .doesNotContainKey("writeConcernError");
      assertThat(set.member(2).engine().snapshot().size(LOG))
          .as("a copy of all data would have one entry in its log and what came after")
          .isGreaterThanOrEqualTo(21);
    }
  }
}
