package io.fairlead.specs;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.RoundTripTime;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerLimits;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads the topology descriptions of the selection and staleness specifications. */
public final class SpecificationServers {
  private SpecificationServers() {}

  public static TopologyDescription topology(BsonDocument document) {
    Specification.onlyKnown(document, "type", "servers");
    List<ServerDescription> servers = new ArrayList<>();
    for (BsonValue server : document.getArray("servers")) {
      servers.add(server(server.asDocument()));
    }
    return TopologyDescription.of(topologyType(document.getString("type").getValue()), servers);
  }

  public static TopologyType topologyType(String name) {
    return Arrays.stream(TopologyType.values())
        .filter(type -> type.specificationName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("unknown topology type " + name));
  }

  public static ServerType serverType(String name) {
    return Arrays.stream(ServerType.values())
        .filter(type -> type.specificationName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("unknown server type " + name));
  }

  private static ServerDescription server(BsonDocument document) {
    Specification.onlyKnown(
        document, "address", "avg_rtt_ms", "type", "tags", "lastUpdateTime", "lastWrite", "maxWireVersion");
    HostAddress address = HostAddress.parse(document.getString("address").getValue());
    ServerType type = serverType(document.getString("type").getValue());
    Map<String, String> tags = new LinkedHashMap<>();
    document.getDocument("tags", new BsonDocument()).forEach((name, tag) -> tags.put(name, tag.asString().getValue()));
    ServerDescription bare = ServerDescription.of(address, type);
    ServerLimits limits = bare.limits();
    int wireVersion = document.containsKey("maxWireVersion") ? document.getNumber("maxWireVersion").intValue() : 25;
    return new ServerDescription(
        address,
        type,
        document.containsKey("avg_rtt_ms") ? RoundTripTime.of(millis(document.get("avg_rtt_ms"))) : null,
        tags,
        bare.membership(),
        new ServerLimits(
            0,
            Math.max(wireVersion, TopologyDescription.CLIENT_MIN_WIRE_VERSION),
            limits.maxBsonObjectSize(),
            limits.maxMessageSizeBytes(),
            limits.maxWriteBatchSize()),
        lastWrite(document),
        document.containsKey("lastUpdateTime") ? instant(document.get("lastUpdateTime")) : null,
        null,
        null,
        null);
  }

  private static @Nullable Instant lastWrite(BsonDocument document) {
    if (!document.containsKey("lastWrite")) {
      return null;
    }
    BsonDocument lastWrite = document.getDocument("lastWrite");
    Specification.onlyKnown(lastWrite, "lastWriteDate");
    return instant(lastWrite.get("lastWriteDate"));
  }

  private static Instant instant(@Nullable BsonValue value) {
    if (value == null) {
      throw new AssertionError("a time is missing");
    }
    return Instant.ofEpochMilli(value.asNumber().longValue());
  }

  public static Duration millis(@Nullable BsonValue value) {
    if (value == null) {
      throw new AssertionError("a number of milliseconds is missing");
    }
    return Duration.ofNanos(Math.round(value.asNumber().doubleValue() * 1_000_000));
  }
}
