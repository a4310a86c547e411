// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import io.fairlead.specs.Specification;
import io.fairlead.specs.SpecificationServers;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyVersion;
import io.fairlead.topology.discovery.DiscoverySettings.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

final class DiscoverySpecificationTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @TestFactory
  Stream<DynamicNode> replica_sets() {
    return files("rs");
  }

  @TestFactory
  Stream<DynamicNode> sharded_clusters() {
    return files("sharded");
  }

  @TestFactory
  Stream<DynamicNode> single_servers() {
    return files("single");
  }

  @TestFactory
  Stream<DynamicNode> load_balancers() {
    return files("load-balanced");
  }

  @TestFactory
  Stream<DynamicNode> errors() {
    return files("errors");
  }

  private static Stream<DynamicNode> files(String folder) {
    return Specification.named("server-discovery-and-monitoring")
        .eachFileIn(folder, file -> new Run().run(file));
  }

  /** One file's client. */
  private static final class Run {
    private @Nullable Discovery discovery;

    void run(BsonDocument file) {
      Specification.onlyKnown(file, "description", "uri", "phases");
      discovery = Discovery.start(settings(file.getString("uri").getValue())).next();
      for (BsonValue each : file.getArray("phases")) {
        BsonDocument phase = each.asDocument();
        Specification.onlyKnown(phase, "description", "responses", "applicationErrors", "outcome");
        for (BsonValue response : phase.getArray("responses", new BsonArray())) {
          hear(response.asArray());
        }
        for (BsonValue error : phase.getArray("applicationErrors", new BsonArray())) {
          hear(error.asDocument());
        }
        check(phase.getDocument("outcome"));
      }
    }

    private static DiscoverySettings settings(String uri) {
      ConnectionString string = new ConnectionString(uri);
      Set<HostAddress> seeds =
          string.getHosts().stream()
              .map(HostAddress::parse)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      Connection connection = Connection.DISCOVER;
      if (Boolean.TRUE.equals(string.isDirectConnection())) {
        connection = Connection.DIRECT;
      } else if (Boolean.TRUE.equals(string.isLoadBalanced())) {
        connection = Connection.LOAD_BALANCED;
      }
      return new DiscoverySettings(seeds, string.getRequiredReplicaSetName(), connection);
    }

    private Discovery discovery() {
      return Objects.requireNonNull(discovery, "run has not begun");
    }

    private void hear(BsonArray response) {
      HostAddress address = HostAddress.parse(response.get(0).asString().getValue());
      BsonDocument hello = response.get(1).asDocument();
      Specification.onlyKnown(
          hello,
          "ok",
          "helloOk",
          "isWritablePrimary",
          "ismaster",
          "secondary",
          "setName",
          "hosts",
          "passives",
          "passive",
          "arbiters",
          "arbiterOnly",
          "hidden",
          "isreplicaset",
          "msg",
          "me",
          "primary",
          "setVersion",
          "electionId",
          "minWireVersion",
          "maxWireVersion",
          "topologyVersion",
          "logicalSessionTimeoutMinutes");
      hear(
          hello.isEmpty()
              ? new TopologyEvent.CheckFailed(address, "the connection broke", false)
              : new TopologyEvent.HelloReceived(address, hello, Duration.ofMillis(1)));
    }

    private void hear(BsonDocument error) {
      Specification.onlyKnown(
          error, "address", "when", "maxWireVersion", "type", "generation", "response");
      HostAddress address = HostAddress.parse(error.getString("address").getValue());
      boolean completed =
          switch (error.getString("when").getValue()) {
            case "beforeHandshakeCompletes" -> false;
            case "afterHandshakeCompletes" -> true;
            default -> throw new AssertionError("unknown moment of an error " + error);
          };
      long generation =
          error.containsKey("generation")
              ? error.getNumber("generation").longValue()
              : discovery().generation(address);
      hear(
          switch (error.getString("type").getValue()) {
            case "command" ->
                new TopologyEvent.ErrorReply(
                    address, generation, completed, error.getDocument("response"), null);
            case "network" ->
                new TopologyEvent.NetworkError(
                    address,
                    generation,
                    completed,
                    false,
                    "the connection broke",
                    labels(completed),
                    null);
            case "timeout" ->
                new TopologyEvent.NetworkError(
                    address,
                    generation,
                    completed,
                    true,
                    "no answer in time",
                    labels(completed),
                    null);
            default -> throw new AssertionError("unknown type of an error " + error);
          });
    }

    /** What a pool puts on the network errors of a connection that is still being made. */
    private static Set<String> labels(boolean completed) {
      return completed ? Set.of() : Set.of("SystemOverloadedError", "RetryableError");
    }

    private void hear(TopologyEvent event) {
      discovery = discovery().on(event, NOON).next();
    }

    private void check(BsonDocument outcome) {
      Specification.onlyKnown(
          outcome,
          "servers",
          "topologyType",
          "logicalSessionTimeoutMinutes",
          "setName",
          "maxSetVersion",
          "maxElectionId",
          "compatible");
      TopologyDescription topology = discovery().description();
      assertThat(topology.type().specificationName())
          .isEqualTo(outcome.getString("topologyType").getValue());
      assertThat(topology.setName()).isEqualTo(string(outcome.get("setName")));
      assertThat(topology.servers().keySet().stream().map(HostAddress::toString))
          .containsExactlyInAnyOrderElementsOf(outcome.getDocument("servers").keySet());
      outcome
          .getDocument("servers")
          .forEach((address, expected) -> check(HostAddress.parse(address), expected.asDocument()));
      if (outcome.containsKey("logicalSessionTimeoutMinutes")) {
        assertThat(topology.logicalSessionTimeoutMinutes())
            .isEqualTo(number(outcome.get("logicalSessionTimeoutMinutes")));
      }
      if (outcome.containsKey("maxSetVersion")) {
        Integer expected = number(outcome.get("maxSetVersion"));
        assertThat(topology.maxSetVersion())
            .isEqualTo(expected == null ? null : Long.valueOf(expected));
      }
      if (outcome.containsKey("maxElectionId")) {
        assertThat(topology.maxElectionId()).isEqualTo(objectId(outcome.get("maxElectionId")));
      }
      if (outcome.containsKey("compatible")) {
        assertThat(topology.isCompatible()).isEqualTo(outcome.getBoolean("compatible").getValue());
      }
    }

    private void check(HostAddress address, BsonDocument expected) {
      Specification.onlyKnown(
          expected,
          "type",
          "setName",
          "setVersion",
          "electionId",
          "logicalSessionTimeoutMinutes",
          "minWireVersion",
          "maxWireVersion",
          "topologyVersion",
          "pool",
          "error");
      ServerDescription server = discovery().description().server(address).orElseThrow();
      assertThat(server.type()).as(address + "'s type").isEqualTo(type(expected, server));
      assertThat(server.setName())
          .as(address + "'s set")
          .isEqualTo(string(expected.get("setName")));
      if (expected.containsKey("setVersion")) {
        Integer version = number(expected.get("setVersion"));
        assertThat(server.membership().setVersion())
            .isEqualTo(version == null ? null : Long.valueOf(version));
      }
      if (expected.containsKey("electionId")) {
        assertThat(server.membership().electionId())
            .isEqualTo(objectId(expected.get("electionId")));
      }
      if (expected.containsKey("logicalSessionTimeoutMinutes")) {
        assertThat(server.logicalSessionTimeoutMinutes())
            .isEqualTo(number(expected.get("logicalSessionTimeoutMinutes")));
      }
      if (expected.containsKey("minWireVersion")) {
        assertThat(server.limits().minWireVersion())
            .isEqualTo(numberOrZero(expected.get("minWireVersion")));
      }
      if (expected.containsKey("maxWireVersion")) {
        assertThat(server.limits().maxWireVersion())
            .isEqualTo(numberOrZero(expected.get("maxWireVersion")));
      }
      if (expected.containsKey("topologyVersion")) {
        TopologyVersion version = TopologyVersion.in(expected);
        assertThat(server.topologyVersion()).as(address + "'s topology version").isEqualTo(version);
      }
      if (expected.containsKey("pool")) {
        BsonDocument pool = expected.getDocument("pool");
        Specification.onlyKnown(pool, "generation");
        assertThat(discovery().generation(address))
            .as(address + "'s generation")
            .isEqualTo(pool.getNumber("generation").longValue());
      }
      if (expected.containsKey("error")) {
        assertThat(server.error()).contains(expected.getString("error").getValue());
      }
    }

    /**
     * A client that checks all servers at once need not tell a possible primary from an unknown
     * server.
     */
    private static ServerType type(BsonDocument expected, ServerDescription server) {
      ServerType type = SpecificationServers.serverType(expected.getString("type").getValue());
      boolean either = type.isUnknown() && server.type().isUnknown();
      return either ? server.type() : type;
    }

    private static @Nullable String string(@Nullable BsonValue value) {
      return value == null || value.isNull() ? null : value.asString().getValue();
    }

    private static @Nullable Integer number(@Nullable BsonValue value) {
      return value == null || value.isNull() ? null : Integer.valueOf(value.asNumber().intValue());
    }

    /** Nobody asks a load balancer for its versions. */
    private static int numberOrZero(@Nullable BsonValue value) {
      Integer number = number(value);
      return number == null ? 0 : number;
    }

    private static @Nullable ObjectId objectId(@Nullable BsonValue value) {
      return value == null || value.isNull() ? null : value.asObjectId().getValue();
    }
  }
}
