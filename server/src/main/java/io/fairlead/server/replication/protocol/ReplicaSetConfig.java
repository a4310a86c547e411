// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * The configuration of a replica set. Of two, the one with the higher term is newer, then the one
 * with the higher version.
 *
 * @param name the set's {@code _id}
 * @param version grows with every reconfiguration
 * @param term of the primary that installed it; -1 before the first election
 * @param members at least one, at most 50, at most 7 of them with a vote
 * @param settings the set's timing and write concern modes
 */
public record ReplicaSetConfig(
    String name, long version, long term, List<MemberConfig> members, Settings settings) {

  /**
   * The set's timing.
   *
   * @param heartbeatInterval from the answer to one heartbeat to the next one; MongoDB's default is
   *     2 s
   * @param electionTimeout how long a member goes without hearing of a primary before it stands for
   *     election, and a primary without a majority before it steps down; MongoDB's default is 10 s
   * @param catchUpTimeout how long a new primary waits for entries that other members have and it
   *     lacks; negative waits for ever
   * @param chainingAllowed whether a secondary may sync from another secondary
   * @param modes named write concerns: mode → tag → number of distinct values that must have the
   *     write
   * @param replicaSetId made when the set is initiated
   */
  public record Settings(
      Duration heartbeatInterval,
      Duration electionTimeout,
      Duration catchUpTimeout,
      boolean chainingAllowed,
      Map<String, Map<String, Integer>> modes,
      ObjectId replicaSetId) {

    public Settings {
      if (heartbeatInterval.isNegative() || heartbeatInterval.isZero()) {
        throw new IllegalArgumentException("heartbeatIntervalMillis must be positive");
      }
      if (electionTimeout.isNegative() || electionTimeout.isZero()) {
        throw new IllegalArgumentException("electionTimeoutMillis must be positive");
      }
      modes = Map.copyOf(modes);
    }

    /** MongoDB's defaults. */
    public static Settings standard(ObjectId replicaSetId) {
      return new Settings(
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofMillis(-1),
          true,
          Map.of(),
          replicaSetId);
    }

    /** For a set in one process: members notice a lost primary within about a second. */
    public static Settings quick(ObjectId replicaSetId) {
      return new Settings(
          Duration.ofMillis(150),
          Duration.ofMillis(1000),
          Duration.ofMillis(500),
          true,
          Map.of(),
          replicaSetId);
    }
  }

  public ReplicaSetConfig {
    members = List.copyOf(members);
    require(!name.isEmpty(), "the set's _id must not be empty");
    require(version >= 1, "version must be at least 1");
    require(!members.isEmpty() && members.size() <= 50, "a set has 1 to 50 members");
    Set<Object> seen = new HashSet<>();
    for (MemberConfig member : members) {
      require(seen.add(member.id()), "two members have the _id " + member.id());
      require(seen.add(member.host()), "two members have the host " + member.host());
    }
    long voters = members.stream().filter(MemberConfig::voter).count();
    require(voters >= 1 && voters <= 7, "a set has 1 to 7 voting members");
    require(
        members.stream().anyMatch(MemberConfig::electable),
        "a set needs a member with priority above 0");
  }

  /** An ordinary set of those hosts with MongoDB's timing. */
  public static ReplicaSetConfig of(String name, List<String> hosts, Settings settings) {
    List<MemberConfig> members =
        IntStream.range(0, hosts.size()).mapToObj(i -> MemberConfig.of(i, hosts.get(i))).toList();
    return new ReplicaSetConfig(name, 1, -1, members, settings);
  }

  public ReplicaSetConfig withTerm(long newTerm) {
    return new ReplicaSetConfig(name, version, newTerm, members, settings);
  }

  /** Whether {@code other} should be replaced by this. */
  public boolean isNewerThan(ReplicaSetConfig other) {
    return compare(term, version, other.term, other.version) > 0;
  }

  /** Orders (term, version) pairs: by term when both are known, then by version. */
  static int compare(long term, long version, long otherTerm, long otherVersion) {
    int byTerm = term == -1 || otherTerm == -1 ? 0 : Long.compare(term, otherTerm);
    return byTerm != 0 ? byTerm : Long.compare(version, otherVersion);
  }

  public Optional<MemberConfig> member(int id) {
    for (MemberConfig member : members) {
      if (member.id() == id) {
        return Optional.of(member);
      }
    }
    return Optional.empty();
  }

  public Optional<MemberConfig> memberAt(String host) {
    for (MemberConfig member : members) {
      if (member.host().equalsIgnoreCase(host)) {
        return Optional.of(member);
      }
    }
    return Optional.empty();
  }

  public List<MemberConfig> voters() {
    return members.stream().filter(MemberConfig::voter).toList();
  }

  /** How many votes elect a primary. */
  public int voteMajority() {
    return voters().size() / 2 + 1;
  }

  /** How many voting data-bearing members must have an entry for it to be committed. */
  public int writeMajority() {
    int dataBearing = (int) members.stream().filter(MemberConfig::votingDataBearing).count();
    return Math.min(voteMajority(), Math.max(1, dataBearing));
  }

  /**
   * The document of {@code replSetGetConfig}, and what is stored in {@code local.system.replset}.
   */
  public BsonDocument toDocument() {
    BsonArray memberDocuments = new BsonArray();
    members.forEach(member -> memberDocuments.add(member.toDocument()));
    BsonDocument modes = new BsonDocument();
    new TreeMap<>(settings.modes)
        .forEach(
            (mode, tags) -> {
              BsonDocument counts = new BsonDocument();
              new TreeMap<>(tags).forEach((tag, count) -> counts.append(tag, new BsonInt32(count)));
              modes.append(mode, counts);
            });
    return new BsonDocument("_id", new BsonString(name))
        .append("version", new BsonInt64(version))
        .append("term", new BsonInt64(term))
        .append("members", memberDocuments)
        .append("protocolVersion", new BsonInt64(1))
        .append("writeConcernMajorityJournalDefault", BsonBoolean.TRUE)
        .append(
            "settings",
            new BsonDocument("chainingAllowed", BsonBoolean.valueOf(settings.chainingAllowed))
                .append("heartbeatIntervalMillis", millis(settings.heartbeatInterval))
                .append("electionTimeoutMillis", millis(settings.electionTimeout))
                .append("catchUpTimeoutMillis", millis(settings.catchUpTimeout))
                .append("getLastErrorModes", modes)
                .append("replicaSetId", new BsonObjectId(settings.replicaSetId)));
  }

  /**
   * Reads a configuration as {@code replSetInitiate} and {@code replSetReconfig} take it.
   *
   * @param newId used as the set's id when the document has none
   * @throws IllegalArgumentException saying which field is wrong; an unknown field is
   */
  public static ReplicaSetConfig parse(BsonDocument document, ObjectId newId) {
    String name = "";
    long version = 1;
    long term = -1;
    List<MemberConfig> members = List.of();
    Settings settings = Settings.standard(newId);
    for (Map.Entry<String, BsonValue> field : document.entrySet()) {
      BsonValue value = field.getValue();
      switch (field.getKey()) {
        case "_id" -> name = value.isString() ? value.asString().getValue() : "";
        case "version" -> version = number(field);
        case "term" -> term = number(field);
        case "protocolVersion" -> require(number(field) == 1, "protocolVersion must be 1");
        case "writeConcernMajorityJournalDefault" -> {
          // always so: what is committed is in the engine's root
        }
        case "members" -> {
          require(value.isArray(), "members must be an array");
          members =
              value.asArray().stream()
                  .map(
                      member -> {
                        require(member.isDocument(), "each of members must be a document");
                        return MemberConfig.parse(member.asDocument());
                      })
                  .toList();
        }
        case "settings" -> {
          require(value.isDocument(), "settings must be a document");
          settings = settings(value.asDocument(), settings);
        }
        default -> throw new IllegalArgumentException("unknown field '" + field.getKey() + "'");
      }
    }
    return new ReplicaSetConfig(name, version, term, members, settings);
  }

  private static Settings settings(BsonDocument document, Settings defaults) {
    Duration heartbeatInterval = defaults.heartbeatInterval;
    Duration electionTimeout = defaults.electionTimeout;
    Duration catchUpTimeout = defaults.catchUpTimeout;
    boolean chainingAllowed = true;
    Map<String, Map<String, Integer>> modes = new TreeMap<>();
    ObjectId id = defaults.replicaSetId;
    for (Map.Entry<String, BsonValue> field : document.entrySet()) {
      BsonValue value = field.getValue();
      switch (field.getKey()) {
        case "heartbeatIntervalMillis" -> heartbeatInterval = Duration.ofMillis(number(field));
        case "electionTimeoutMillis" -> electionTimeout = Duration.ofMillis(number(field));
        case "catchUpTimeoutMillis" -> catchUpTimeout = Duration.ofMillis(number(field));
        case "chainingAllowed" -> {
          require(value.isBoolean(), "chainingAllowed must be true or false");
          chainingAllowed = value.asBoolean().getValue();
        }
        case "getLastErrorDefaults" ->
            require(
                value.isDocument() && isDefaultConcern(value.asDocument()),
                "getLastErrorDefaults other than {w: 1, wtimeout: 0} is not supported");
        case "getLastErrorModes" -> {
          require(value.isDocument(), "getLastErrorModes must be a document");
          for (Map.Entry<String, BsonValue> mode : value.asDocument().entrySet()) {
            require(
                mode.getValue().isDocument(), "the mode " + mode.getKey() + " must be a document");
            Map<String, Integer> counts = new TreeMap<>();
            for (Map.Entry<String, BsonValue> tag : mode.getValue().asDocument().entrySet()) {
              counts.put(tag.getKey(), Math.toIntExact(number(tag)));
            }
            modes.put(mode.getKey(), Map.copyOf(counts));
          }
        }
        case "replicaSetId" -> {
          require(value.isObjectId(), "replicaSetId must be an ObjectId");
          id = value.asObjectId().getValue();
        }
        default ->
            throw new IllegalArgumentException("unknown field 'settings." + field.getKey() + "'");
      }
    }
    return new Settings(
        heartbeatInterval, electionTimeout, catchUpTimeout, chainingAllowed, modes, id);
  }

  private static boolean isDefaultConcern(BsonDocument concern) {
    return concern.entrySet().stream()
        .allMatch(
            field ->
                field.getValue().isNumber()
                    && field.getValue().asNumber().intValue()
                        == (field.getKey().equals("w") ? 1 : 0));
  }

  private static BsonInt64 millis(Duration duration) {
    return new BsonInt64(duration.toMillis());
  }

  private static long number(Map.Entry<String, BsonValue> field) {
    require(field.getValue().isNumber(), field.getKey() + " must be a number");
    return field.getValue().asNumber().longValue();
  }

  private static void require(boolean held, String otherwise) {
    if (!held) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
