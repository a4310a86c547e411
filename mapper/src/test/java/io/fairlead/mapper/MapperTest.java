// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import io.fairlead.driver.FairleadClients;
import io.fairlead.embedded.EmbeddedCluster;
import io.fairlead.embedded.EmbeddedMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The mapper on a replica set, through our driver and through the official one. */
class MapperTest {
  private static EmbeddedCluster cluster;

  /** Whose client it runs on. */
  enum Make {
    OURS {
      @Override
      MongoClient client(MongoClientSettings settings) {
        return FairleadClients.create(settings);
      }
    },
    OFFICIAL {
      @Override
      MongoClient client(MongoClientSettings settings) {
        return MongoClients.create(settings);
      }
    };

    abstract MongoClient client(MongoClientSettings settings);
  }

  @Entity(collection = "people")
  @DefaultReadPreference(ReadMode.SECONDARY)
  record Person(@Id @Nullable ObjectId id, String name, List<String> tags) {}

  /** A class as an entity. */
  @Entity(collection = "cars")
  public static final class Car {
    @Id private @Nullable ObjectId key;
    private String plate = "";

    public @Nullable ObjectId getKey() {
      return key;
    }

    public void setKey(@Nullable ObjectId key) {
      this.key = key;
    }

    public String getPlate() {
      return plate;
    }

    public void setPlate(String plate) {
      this.plate = plate;
    }
  }

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.replicaSet(3).start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource
  void records_are_saved_found_and_deleted(Make make) {
    try (MongoClient client = client(make, 20_000)) {
      Mapper mapper = Mapper.over(everywhere(client, "records" + make));

      Person ann = mapper.save(new Person(null, "Ann", List.of("x", "y")));
      Person bob = mapper.save(new Person(new ObjectId(), "Bob", List.of()));
      mapper.save(new Person(ann.id(), "Anna", ann.tags()));

      assertThat(ann.id()).isNotNull();
      assertThat(mapper.get(Person.class, idOf(ann)))
          .contains(new Person(ann.id(), "Anna", ann.tags()));
      assertThat(mapper.find(Person.class, eq("name", "Bob")).first()).isEqualTo(bob);
      assertThat(mapper.find(Person.class).into(new ArrayList<>())).hasSize(2);
      assertThat(mapper.count(Person.class, exists("name"))).isEqualTo(2);
      assertThat(mapper.delete(ann)).isTrue();
      assertThat(mapper.delete(ann)).isFalse();
      assertThat(mapper.delete(Person.class, idOf(bob))).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_saved_object_of_a_class_has_its_id_then(Make make) {
    try (MongoClient client = client(make, 20_000)) {
      Mapper mapper = Mapper.over(client, "classes" + make);
      Car car = new Car();
      car.setPlate("FL 1");

      assertThat(mapper.save(car)).isSameAs(car);
      assertThat(car.getKey()).isNotNull();
      car.setPlate("FL 2");
      mapper.save(car);

      assertThat(mapper.find(Car.class).into(new ArrayList<>()))
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.getPlate()).isEqualTo("FL 2");
                assertThat(found.getKey()).isEqualTo(car.getKey());
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void rereading_asks_the_primary_whatever_the_entity_prefers(Make make) {
    try (MongoClient client = client(make, 20_000)) {
      MongoDatabase database = client.getDatabase("lagging" + make);
      Mapper mapper = Mapper.over(database.withWriteConcern(WriteConcern.W1));
      Person old =
          Mapper.over(everywhere(client, database.getName()))
              .save(new Person(null, "old", List.of()));
      List<EmbeddedMember> secondaries =
          cluster.replicaSet().awaitSecondaries(Duration.ofSeconds(10));
      secondaries.forEach(each -> each.lag(Duration.ofHours(1)));
      try {
        mapper.save(new Person(old.id(), "new", List.of()));

        assertThat(mapper.get(Person.class, idOf(old))).contains(old);
        assertThat(mapper.reread(old))
            .isEqualTo(new Reread.Stored<>(new Person(old.id(), "new", List.of())));
        assertThat(mapper.reading(ReadPreference.primary()).get(Person.class, idOf(old)))
            .map(Person::name)
            .contains("new");

        mapper.delete(old);
        assertThat(mapper.get(Person.class, idOf(old))).contains(old);
        assertThat(mapper.reread(old).isGone()).isTrue();
        assertThat(mapper.reread(old).stored()).isEmpty();
      } finally {
        secondaries.forEach(each -> each.lag(Duration.ZERO));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void rereading_fails_rather_than_telling_an_older_state_when_no_primary_is_reachable(Make make) {
    try (EmbeddedCluster alone = EmbeddedCluster.replicaSet(2).start();
        MongoClient client = make.client(settings(alone.connectionString(), 1500))) {
      Mapper mapper = Mapper.over(everywhere(client, "db", 2));
      Person ann = mapper.save(new Person(null, "Ann", List.of()));

      alone.replicaSet().primary().kill();
      awaitNoPrimary(client);

      assertThatThrownBy(() -> mapper.reread(ann)).isInstanceOf(MongoTimeoutException.class);
      assertThat(mapper.get(Person.class, idOf(ann))).contains(ann);
    }
  }

  /**
   * Waits until the client has seen that there is no primary: before, its loss would be told as
   * what it is.
   */
  private static void awaitNoPrimary(MongoClient client) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (client.getClusterDescription().getServerDescriptions().stream()
        .anyMatch(ServerDescription::isPrimary)) {
      assertThat(System.nanoTime()).as("a primary is still seen").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private static ObjectId idOf(Person person) {
    ObjectId id = person.id();
    if (id == null) {
      throw new AssertionError("it has no id");
    }
    return id;
  }

  /** A database whose writes are on every member when they are acknowledged. */
  private static MongoDatabase everywhere(MongoClient client, String name) {
    return everywhere(client, name, 3);
  }

  private static MongoDatabase everywhere(MongoClient client, String name, int members) {
    return client.getDatabase(name).withWriteConcern(new WriteConcern(members));
  }

  private static MongoClient client(Make make, long selectionMillis) {
    return make.client(settings(cluster.connectionString(), selectionMillis));
  }

  private static MongoClientSettings settings(String uri, long selectionMillis) {
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(uri))
        .applyToClusterSettings(
            each -> each.serverSelectionTimeout(selectionMillis, TimeUnit.MILLISECONDS))
        .applyToServerSettings(
            each ->
                each.heartbeatFrequency(500, TimeUnit.MILLISECONDS)
                    .minHeartbeatFrequency(20, TimeUnit.MILLISECONDS))
        .build();
  }
}
