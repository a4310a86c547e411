// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import io.fairlead.driver.RoutedCollection;
import io.fairlead.driver.Routing;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerLimits;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.EffectiveReadPreference;
import io.fairlead.topology.readpreference.LatencyWindow;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadWish;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a read is performed with, asked of the core for the wishes that the driver hands it. */
class ReadPreferenceTest {
  private static final String EMPTY = FindTest.batch(0, "");

  private final FakeDeployment deployment = new FakeDeployment();

  @Test
  void an_unconfigured_client_reads_from_the_primary() {
    find(database(null).getCollection("things"));

    assertThat(effective()).isEqualTo(Mode.PRIMARY);
  }

  @Test
  void collection_goes_before_database_goes_before_client() {
    MongoDatabase configured = database(ReadPreference.nearest());

    find(configured.getCollection("things"));
    assertThat(effective()).isEqualTo(Mode.NEAREST);

    MongoDatabase secondary = configured.withReadPreference(ReadPreference.secondary());
    find(secondary.getCollection("things"));
    assertThat(effective()).isEqualTo(Mode.SECONDARY);

    find(secondary.getCollection("things").withReadPreference(ReadPreference.primaryPreferred()));
    assertThat(effective()).isEqualTo(Mode.PRIMARY_PREFERRED);
  }

  @Test
  void null_means_what_is_inherited() {
    MongoDatabase secondary = database(ReadPreference.secondary());

    MongoCollection<Document> things =
        secondary.withReadPreference(null).getCollection("things").withReadPreference(null);
    find(things);

    assertThat(things.getReadPreference()).isEqualTo(ReadPreference.secondary());
    assertThat(effective()).isEqualTo(Mode.SECONDARY);
  }

  @Test
  void every_reading_operation_honours_the_same_preference() {
    MongoCollection<Document> things = database(ReadPreference.secondary()).getCollection("things");
    deployment
        .answer(EMPTY)
        .answer(EMPTY)
        .answer("{ok: 1, n: 3}")
        .answer("{ok: 1, values: []}")
        .answer("{ok: 1}");

    things.aggregate(List.of()).first();
    things.countDocuments();
    things.estimatedDocumentCount();
    things.distinct("a", String.class).first();
    things.find().explain();

    assertThat(deployment.operations())
        .extracting(each -> effective(each.readWish()).mode())
        .containsOnly(Mode.SECONDARY)
        .hasSize(5);
  }

  @Test
  void helpers_that_need_the_primary_and_writes_ignore_every_default() {
    MongoDatabase nearest = database(ReadPreference.nearest());
    deployment.answer(EMPTY).answer(EMPTY);

    nearest.listCollectionNames().first();
    nearest.getCollection("things").listIndexes().first();
    nearest.getCollection("things").createIndex(new Document("a", 1));
    nearest.getCollection("things").insertOne(new Document());

    assertThat(deployment.operations())
        .extracting(each -> effective(each.readWish()).mode())
        .containsOnly(Mode.PRIMARY)
        .hasSize(4);
  }

  @Test
  void runCommand_honours_its_own_argument_and_nothing_else() {
    MongoDatabase nearest = database(ReadPreference.nearest());

    nearest.runCommand(new Document("ping", 1));
    assertThat(effective()).isEqualTo(Mode.PRIMARY);

    nearest.runCommand(new Document("ping", 1), ReadPreference.secondary());
    assertThat(effective()).isEqualTo(Mode.SECONDARY);
    assertThat(deployment.commands().get(0)).isEqualTo(BsonDocument.parse("{ping: 1}"));
  }

  @Test
  void a_pipeline_that_writes_reads_from_a_secondary_only_where_every_server_can() {
    MongoCollection<Document> things = database(ReadPreference.secondary()).getCollection("things");

    things.aggregate(List.of(Aggregates.out("copy"))).toCollection();

    ReadWish wish = deployment.operation().readWish();
    assertThat(EffectiveReadPreference.of(wish, replicaSet(13)).preference().mode())
        .isEqualTo(Mode.SECONDARY);
    assertThat(EffectiveReadPreference.of(wish, replicaSet(12)).preference().mode())
        .isEqualTo(Mode.PRIMARY);
  }

  @Test
  void tags_and_staleness_arrive_whole() {
    ReadPreference preference =
        ReadPreference.secondary(
            List.of(new TagSet(new Tag("dc", "ams")), new TagSet()), 120, TimeUnit.SECONDS);

    find(database(preference).getCollection("things"));

    var read = effective(deployment.operation().readWish());
    assertThat(read.tagSets()).containsExactly(Map.of("dc", "ams"), Map.of());
    assertThat(read.maxStaleness()).hasSeconds(120);
  }

  @Test
  void a_collection_carries_fairleads_window_and_ping_whatever_preference_it_gets_then() {
    RoutedCollection<Document> routed =
        Routing.on(database(ReadPreference.nearest()).getCollection("things"))
            .latencyWindow(new LatencyWindow.Proportional(20))
            .maxPing(Duration.ofMillis(30));

    find(routed);
    var read = effective(deployment.operation().readWish());
    assertThat(read.mode()).isEqualTo(Mode.NEAREST);
    assertThat(read.latencyWindow()).isEqualTo(new LatencyWindow.Proportional(20));
    assertThat(read.maxPing()).hasMillis(30);

    find(routed.withReadPreference(ReadPreference.secondary()));
    read = effective(deployment.operation().readWish());
    assertThat(read.mode()).isEqualTo(Mode.SECONDARY);
    assertThat(read.maxPing()).hasMillis(30);

    find(routed.maxPing(null).latencyWindow(null));
    assertThat(effective(deployment.operation().readWish()).maxPing()).isNull();
  }

  @Test
  void collections_of_another_make_can_not_be_routed() {
    MongoCollection<?> foreign =
        (MongoCollection<?>)
            Proxy.newProxyInstance(
                MongoCollection.class.getClassLoader(),
                new Class<?>[] {MongoCollection.class},
                (proxy, method, arguments) -> null);

    assertThatThrownBy(() -> Routing.on(foreign)).isInstanceOf(IllegalArgumentException.class);
  }

  private MongoDatabase database(@Nullable ReadPreference preference) {
    return new FairleadDatabase(deployment.scope(preference), "db");
  }

  private void find(MongoCollection<Document> collection) {
    deployment.answer(EMPTY);
    collection.find().first();
  }

  private Mode effective() {
    return effective(deployment.operation().readWish()).mode();
  }

  private static io.fairlead.topology.readpreference.ReadPreference effective(ReadWish wish) {
    return EffectiveReadPreference.of(wish, replicaSet(25)).preference();
  }

  private static TopologyDescription replicaSet(int wireVersion) {
    ServerDescription plain = ServerDescription.of(FakeDeployment.SERVER, ServerType.RS_PRIMARY);
    ServerLimits limits = new ServerLimits(0, wireVersion, 1 << 24, 48_000_000, 100_000);
    return TopologyDescription.of(
        TopologyType.REPLICA_SET_WITH_PRIMARY,
        List.of(
            new ServerDescription(
                plain.address(),
                plain.type(),
                plain.ping(),
                plain.tags(),
                plain.membership(),
                limits,
                plain.lastWriteDate(),
                plain.lastUpdateTime(),
                plain.logicalSessionTimeoutMinutes(),
                plain.topologyVersion(),
                plain.error())));
  }
}
