// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ServerAddress;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerConnectionState;
import com.mongodb.connection.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.Topologies;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The public driver's own choice is the oracle: any replica set, any mode, any tags, the same
 * suitable members.
 */
final class SameAsOfficialDriverTest {
  private static final List<Mode> MODES = List.of(Mode.values());
  private static final List<String> CENTRES = List.of("ams", "fra", "osl");
  private static final List<ServerType> TYPES =
      List.of(
          ServerType.RS_SECONDARY,
          ServerType.RS_SECONDARY,
          ServerType.RS_SECONDARY,
          ServerType.RS_ARBITER,
          ServerType.RS_OTHER);

  @Test
  void two_thousand_random_replica_sets() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      List<Member> members = members(random);
      Mode mode = MODES.get(random.nextInt(MODES.size()));
      List<Map<String, String>> tagSets = mode == Mode.PRIMARY ? List.of() : tagSets(random);
      assertThat(ours(members, mode, tagSets))
          .as("seed " + seed)
          .isEqualTo(theirs(members, mode, tagSets));
    }
  }

  private record Member(String host, ServerType type, Map<String, String> tags) {}

  private static List<Member> members(Random random) {
    List<Member> members = new ArrayList<>();
    int count = random.nextInt(6);
    boolean primary = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      ServerType type =
          i == 0 && primary ? ServerType.RS_PRIMARY : TYPES.get(random.nextInt(TYPES.size()));
      Map<String, String> tags = new HashMap<>();
      if (random.nextBoolean()) {
        tags.put("dc", CENTRES.get(random.nextInt(CENTRES.size())));
      }
      if (random.nextBoolean()) {
        tags.put("disk", random.nextBoolean() ? "ssd" : "hdd");
      }
      members.add(new Member("h" + i, type, tags));
    }
    return members;
  }

  private static List<Map<String, String>> tagSets(Random random) {
    List<Map<String, String>> sets = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Map<String, String> set = new HashMap<>();
      if (random.nextInt(4) > 0) {
        set.put("dc", CENTRES.get(random.nextInt(CENTRES.size())));
      }
      if (random.nextInt(3) == 0) {
        set.put("disk", "ssd");
      }
      sets.add(set);
    }
    return sets;
  }

  private static Set<String> ours(
      List<Member> members, Mode mode, List<Map<String, String>> tagSets) {
    Topologies topology = Topologies.replicaSet();
    members.forEach(member -> topology.server(member.type(), member.host(), 1, member.tags()));
    TopologyDescription description = topology.build();
    SelectionRequest request = SelectionRequest.read(ReadPreference.of(mode).withTagSets(tagSets));
    return ServerSelector.trace(description, request, server -> 0, new Random(1))
        .candidates()
        .stream()
        .map(server -> server.address().host())
        .collect(Collectors.toSet());
  }

  private static Set<String> theirs(
      List<Member> members, Mode mode, List<Map<String, String>> tagSets) {
    List<ServerDescription> servers =
        members.stream()
            .map(
                member ->
                    ServerDescription.builder()
                        .address(new ServerAddress(member.host()))
                        .type(theirType(member.type()))
                        .state(ServerConnectionState.CONNECTED)
                        .ok(true)
                        .tagSet(tagSet(member.tags()))
                        .build())
            .toList();
    ClusterDescription cluster =
        new ClusterDescription(
            ClusterConnectionMode.MULTIPLE,
            com.mongodb.connection.ClusterType.REPLICA_SET,
            servers);
    return theirPreference(mode, tagSets).choose(cluster).stream()
        .map(server -> server.getAddress().getHost())
        .collect(Collectors.toSet());
  }

  private static com.mongodb.ReadPreference theirPreference(
      Mode mode, List<Map<String, String>> tagSets) {
    if (mode == Mode.PRIMARY) {
      return com.mongodb.ReadPreference.primary();
    }
    return com.mongodb.ReadPreference.valueOf(
        mode.wireName(), tagSets.stream().map(SameAsOfficialDriverTest::tagSet).toList());
  }

  private static TagSet tagSet(Map<String, String> tags) {
    return new TagSet(
        tags.entrySet().stream().map(tag -> new Tag(tag.getKey(), tag.getValue())).toList());
  }

  private static com.mongodb.connection.ServerType theirType(ServerType type) {
    return switch (type) {
      case RS_PRIMARY -> com.mongodb.connection.ServerType.REPLICA_SET_PRIMARY;
      case RS_SECONDARY -> com.mongodb.connection.ServerType.REPLICA_SET_SECONDARY;
      case RS_ARBITER -> com.mongodb.connection.ServerType.REPLICA_SET_ARBITER;
      default -> com.mongodb.connection.ServerType.REPLICA_SET_OTHER;
    };
  }
}
