// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.event.ClusterClosedEvent;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;
import com.mongodb.event.ClusterOpeningEvent;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.event.ServerClosedEvent;
import com.mongodb.event.ServerDescriptionChangedEvent;
import com.mongodb.event.ServerListener;
import com.mongodb.event.ServerOpeningEvent;
import io.fairlead.cluster.fake.FakeServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

class EventsTest {
  private static final class Commands implements CommandListener {
    final List<CommandStartedEvent> started = new ArrayList<>();
    final List<CommandSucceededEvent> succeeded = new ArrayList<>();
    final List<CommandFailedEvent> failed = new ArrayList<>();

    @Override
    public void commandStarted(CommandStartedEvent event) {
      started.add(event);
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
      succeeded.add(event);
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
      failed.add(event);
    }
  }

  private static final class Deployments implements ClusterListener, ServerListener {
    final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();

    @Override
    public void clusterOpening(ClusterOpeningEvent event) {
      heard.add("cluster opening");
    }

    @Override
    public void clusterClosed(ClusterClosedEvent event) {
      heard.add("cluster closed");
    }

    @Override
    public void clusterDescriptionChanged(ClusterDescriptionChangedEvent event) {
      heard.add("cluster " + event.getNewDescription().getType());
    }

    @Override
    public void serverOpening(ServerOpeningEvent event) {
      heard.add("server opening");
    }

    @Override
    public void serverClosed(ServerClosedEvent event) {
      heard.add("server closed");
    }

    @Override
    public void serverDescriptionChanged(ServerDescriptionChangedEvent event) {
      heard.add("server " + event.getNewDescription().getType());
    }
  }

  @Test
  void a_command_is_told_when_it_starts_and_how_it_ends() {
    Commands heard = new Commands();
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.start(Clients.settings(server).addCommandListener(heard))) {
      cluster.execute(Clients.find().operationId(42L).build());
      CommandStartedEvent started = heard.started.getFirst();
      assertThat(started.getCommandName()).isEqualTo("find");
      assertThat(started.getDatabaseName()).isEqualTo("test");
      assertThat(started.getOperationId()).isEqualTo(42);
      assertThat(started.getCommand()).containsKeys("find", "$db", "lsid");
      assertThat(heard.succeeded.getFirst().getRequestId()).isEqualTo(started.getRequestId());
      server.on("find", command -> FakeServer.error(2));
      assertThatThrownBy(() -> cluster.execute(Clients.find().build()))
          .isInstanceOf(MongoCommandException.class);
      assertThat(heard.failed.getFirst().getThrowable()).isInstanceOf(MongoCommandException.class);
      assertThat(heard.started).hasSize(2);
    }
  }

  @Test
  void commands_about_credentials_are_told_without_their_contents() {
    Commands heard = new Commands();
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.start(Clients.settings(server).addCommandListener(heard))) {
      Operation createUser =
          Operation.builder(
                  "admin",
                  new BsonDocument("createUser", new BsonString("u"))
                      .append("pwd", new BsonString("secret")))
              .build();
      cluster.execute(createUser);
      server.on(
          "createUser", command -> FakeServer.error(2).append("errmsg", new BsonString("secret")));
      assertThatThrownBy(() -> cluster.execute(createUser))
          .isInstanceOf(MongoCommandException.class);
      assertThat(heard.started).allSatisfy(event -> assertThat(event.getCommand()).isEmpty());
      assertThat(heard.succeeded.getFirst().getResponse()).isEmpty();
      assertThat(heard.failed.getFirst().getThrowable().getMessage()).doesNotContain("secret");
      assertThat(server.received().getFirst()).containsKey("pwd");
    }
  }

  @Test
  void a_listener_that_throws_stops_nothing() {
    Commands after = new Commands();
    CommandListener throwing =
        new CommandListener() {
          @Override
          public void commandStarted(CommandStartedEvent event) {
            throw new IllegalStateException("a listener's own trouble");
          }
        };
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster =
            Clients.start(
                Clients.settings(server).addCommandListener(throwing).addCommandListener(after))) {
      cluster.execute(Clients.find().build());
      assertThat(after.started).hasSize(1);
    }
  }

  @Test
  void the_deployment_is_told_in_order_from_its_opening_to_its_end() {
    Deployments heard = new Deployments();
    try (FakeServer server = FakeServer.inProcess()) {
      server.says(FakeServer.memberHello(true, server, server));
      var settings =
          Clients.settings(server)
              .applyToClusterSettings(cluster -> cluster.addClusterListener(heard))
              .applyToServerSettings(each -> each.addServerListener(heard));
      try (Cluster cluster = Clients.known(Clients.start(settings))) {
        assertThat(cluster.topology().primary()).isPresent();
      }
    }
    assertThat(heard.heard)
        .containsSubsequence(
            "cluster opening",
            "server opening",
            "server REPLICA_SET_PRIMARY",
            "cluster REPLICA_SET",
            "server closed",
            "cluster closed");
  }

  @Test
  void the_view_counts_attempts_retries_and_failures() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.known(Clients.of(server))) {
      server.on("find", FakeServer.times(1, command -> FakeServer.error(6)));
      cluster.execute(Clients.find().build());
      cluster.execute(
          Operation.builder("admin", new BsonDocument("ping", new BsonInt32(1))).build());
      RoutingView.Server view = cluster.routing().servers().getFirst();
      assertThat(view.attempts()).isEqualTo(3);
      assertThat(view.retries()).isEqualTo(1);
      assertThat(view.failed()).isEqualTo(1);
      assertThat(view.succeeded()).isEqualTo(2);
      assertThat(view.inWindow()).isTrue();
      assertThat(view.operationsInProgress()).isZero();
      assertThat(view.ping()).isNotNull();
    }
  }
}
