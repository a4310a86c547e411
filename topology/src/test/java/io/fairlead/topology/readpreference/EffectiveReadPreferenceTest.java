// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

import static io.fairlead.topology.Topologies.mongoses;
import static io.fairlead.topology.Topologies.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.Topologies;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.ReadWish.SessionState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** One answer for selection, the wire and the second borrow (B1 to B9). */
final class EffectiveReadPreferenceTest {
  private static final ReadPreference SECONDARY = ReadPreference.of(Mode.SECONDARY);
  private static final ReadPreference NEAREST = ReadPreference.of(Mode.NEAREST);
  private static final ReadPreference PREFERRED = ReadPreference.of(Mode.SECONDARY_PREFERRED);
  private static final ReadPreference PRIMARY_PREFERRED = ReadPreference.of(Mode.PRIMARY_PREFERRED);

  private final TopologyDescription topology = mongoses(2);

  @Test
  void the_nearest_level_that_says_something_counts() {
    assertThat(
            effective(wish(OperationKind.READ, SECONDARY, NEAREST, PREFERRED, PRIMARY_PREFERRED)))
        .isEqualTo(SECONDARY);
    assertThat(effective(wish(OperationKind.READ, null, NEAREST, PREFERRED, PRIMARY_PREFERRED)))
        .isEqualTo(NEAREST);
    assertThat(effective(wish(OperationKind.READ, null, null, PREFERRED, PRIMARY_PREFERRED)))
        .isEqualTo(PREFERRED);
    assertThat(effective(wish(OperationKind.READ, null, null, null, PRIMARY_PREFERRED)))
        .isEqualTo(PRIMARY_PREFERRED);
    assertThat(effective(wish(OperationKind.READ, null, null, null, null)))
        .isEqualTo(ReadPreference.PRIMARY);
  }

  @Test
  void run_command_honours_only_its_own_argument() {
    assertThat(effective(wish(OperationKind.RUN_COMMAND, null, NEAREST, NEAREST, NEAREST)))
        .isEqualTo(ReadPreference.PRIMARY);
    assertThat(effective(wish(OperationKind.RUN_COMMAND, SECONDARY, NEAREST, NEAREST, NEAREST)))
        .isEqualTo(SECONDARY);
  }

  @Test
  void helpers_of_the_primary_and_writes_ignore_every_default() {
    assertThat(effective(wish(OperationKind.PRIMARY_HELPER, null, NEAREST, NEAREST, NEAREST)))
        .isEqualTo(ReadPreference.PRIMARY);
    assertThat(effective(wish(OperationKind.WRITE, null, NEAREST, NEAREST, NEAREST)))
        .isEqualTo(ReadPreference.PRIMARY);
  }

  @Test
  void out_and_merge_go_to_the_primary_while_a_server_is_older_than_5_0() {
    ReadWish wish = wish(OperationKind.AGGREGATE_WITH_WRITE, null, SECONDARY, null, null);
    assertThat(effective(wish)).isEqualTo(SECONDARY);
    ServerDescription old =
        ServerDescription.of(Topologies.address("old"), ServerType.RS_SECONDARY);
    TopologyDescription mixed =
        TopologyDescription.of(TopologyType.REPLICA_SET_NO_PRIMARY, List.of(old));
    assertThat(EffectiveReadPreference.of(wish, mixed).preference())
        .isEqualTo(ReadPreference.PRIMARY);
  }

  @Test
  void in_a_transaction_only_the_transactions_own_counts() {
    ReadWish wish = wish(OperationKind.READ, NEAREST, SECONDARY, SECONDARY, null);
    assertThat(
            effective(wish.in(new SessionState.InTransaction(ReadPreference.PRIMARY, SECONDARY))))
        .isEqualTo(ReadPreference.PRIMARY);
    assertThat(effective(wish.in(new SessionState.InTransaction(null, null))))
        .isEqualTo(ReadPreference.PRIMARY);
  }

  @Test
  void a_transaction_whose_preference_is_not_primary_refuses_reads() {
    ReadWish options =
        wish(OperationKind.READ, null, null, null, null)
            .in(new SessionState.InTransaction(SECONDARY, null));
    ReadWish session =
        wish(OperationKind.READ, null, null, null, null)
            .in(new SessionState.InTransaction(null, SECONDARY));
    ReadWish client =
        wish(OperationKind.READ, null, null, null, SECONDARY)
            .in(new SessionState.InTransaction(null, null));
    for (ReadWish wish : List.of(options, session, client)) {
      assertThatThrownBy(() -> effective(wish))
          .hasMessageContaining("read preference in a transaction must be primary");
      assertThat(effective(wish.withKind(OperationKind.WRITE))).isEqualTo(ReadPreference.PRIMARY);
    }
  }

  @Test
  void after_an_own_write_reads_go_to_the_primary() {
    assertThat(
            effective(
                wish(OperationKind.READ, NEAREST, NEAREST, NEAREST, NEAREST)
                    .in(new SessionState.AfterOwnWrite())))
        .isEqualTo(ReadPreference.PRIMARY);
  }

  @Test
  void primary_is_sent_as_no_preference_at_all() {
    for (ServerType server :
        List.of(ServerType.MONGOS, ServerType.LOAD_BALANCER, ServerType.RS_PRIMARY)) {
      assertThat(read(ReadPreference.PRIMARY).wireDocument(TopologyType.SHARDED, server)).isEmpty();
    }
  }

  @Test
  void any_other_mode_reaches_the_router_with_everything_it_carries() {
    ReadPreference near =
        NEAREST
            .withTagSets(List.of(Map.of("dc", "ams")))
            .withMaxPing(Duration.ofMillis(30))
            .withLatencyWindow(new LatencyWindow.Absolute(Duration.ofMillis(5)));
    assertThat(read(near).wireDocument(TopologyType.SHARDED, ServerType.MONGOS))
        .contains(
            BsonDocument.parse(
                "{mode: 'nearest', tags: [{dc: 'ams'}], maxPingMS: {$numberLong: '30'},"
                    + " latencyWindow: {ms: {$numberLong: '5'}}}"));
  }

  @Test
  void a_member_is_not_told_how_it_was_chosen() {
    ReadPreference near = NEAREST.withMaxPing(Duration.ofMillis(30));
    assertThat(
            read(near).wireDocument(TopologyType.REPLICA_SET_WITH_PRIMARY, ServerType.RS_SECONDARY))
        .contains(BsonDocument.parse("{mode: 'nearest'}"));
  }

  @Test
  void on_a_direct_connection_to_a_member_primary_travels_as_primary_preferred() {
    for (ServerType server :
        List.of(ServerType.RS_PRIMARY, ServerType.RS_SECONDARY, ServerType.RS_OTHER)) {
      assertThat(read(ReadPreference.PRIMARY).wireDocument(TopologyType.SINGLE, server))
          .contains(BsonDocument.parse("{mode: 'primaryPreferred'}"));
      assertThat(read(SECONDARY).wireDocument(TopologyType.SINGLE, server))
          .contains(BsonDocument.parse("{mode: 'secondary'}"));
    }
    assertThat(read(ReadPreference.PRIMARY).wireDocument(TopologyType.SINGLE, ServerType.MONGOS))
        .isEmpty();
  }

  @Test
  void a_standalone_and_a_write_are_sent_nothing() {
    assertThat(read(SECONDARY).wireDocument(TopologyType.SINGLE, ServerType.STANDALONE)).isEmpty();
    EffectiveReadPreference write =
        EffectiveReadPreference.of(
            ReadWish.none(OperationKind.WRITE), replicaSet().primary("p", 1).build());
    assertThat(write.wireDocument(TopologyType.SINGLE, ServerType.RS_SECONDARY)).isEmpty();
  }

  private EffectiveReadPreference read(ReadPreference preference) {
    return EffectiveReadPreference.of(ReadWish.read(preference), topology);
  }

  private ReadPreference effective(ReadWish wish) {
    return EffectiveReadPreference.of(wish, topology).preference();
  }

  private static ReadWish wish(
      OperationKind kind,
      @org.jspecify.annotations.Nullable ReadPreference operation,
      @org.jspecify.annotations.Nullable ReadPreference collection,
      @org.jspecify.annotations.Nullable ReadPreference database,
      @org.jspecify.annotations.Nullable ReadPreference client) {
    return new ReadWish(kind, operation, collection, database, client, SessionState.NONE);
  }
}
