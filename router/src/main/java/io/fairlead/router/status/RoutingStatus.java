// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.status;

import io.fairlead.cluster.RoutingOptions;
import io.fairlead.cluster.RoutingView;
import io.fairlead.router.shard.Shards;
import java.time.Duration;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What this router sees of every member, as a document: pings, what is near, ejections, counts. The
 * answer of {@code routingStatus}.
 */
public final class RoutingStatus {

  private RoutingStatus() {}

  public static BsonDocument of(Shards shards, LiveRouting live, ReadCounts reads) {
    RoutingOptions options = live.options();
    BsonArray all = new BsonArray();
    BsonDocument window = new BsonDocument();
    for (Shards.Shard shard : shards.all()) {
      RoutingView view = shard.cluster().routing();
      window = view.window().toDocument();
      all.add(shard(shard.id(), view, reads));
    }
    return new BsonDocument(
            "window", options.window() == null ? window : options.window().toDocument())
        .append("maxPingMS", millis(options.maxPing()))
        .append("healthEnabled", BsonBoolean.valueOf(options.health().enabled()))
        .append("shards", all);
  }

  private static BsonDocument shard(String id, RoutingView view, ReadCounts reads) {
    BsonArray members = new BsonArray();
    view.servers().forEach(server -> members.add(member(server, reads)));
    return new BsonDocument("name", new BsonString(id)).append("members", members);
  }

  private static BsonDocument member(RoutingView.Server server, ReadCounts reads) {
    RoutingView.Ejection ejection = server.ejection();
    BsonDocument member =
        new BsonDocument("host", new BsonString(server.address().toString()))
            .append("state", new BsonString(server.type().toString()))
            .append("pingMS", millis(server.ping()))
            .append("inWindow", BsonBoolean.valueOf(server.inWindow()))
            .append("ejected", BsonBoolean.valueOf(ejection != null));
    if (ejection != null) {
      member
          .append("because", new BsonString(ejection.why()))
          .append("until", new BsonDateTime(ejection.until().toEpochMilli()));
    }
    return member
        .append("reads", new BsonInt64(reads.of(server.address())))
        .append("attempts", new BsonInt64(server.attempts()))
        .append("retries", new BsonInt64(server.retries()))
        .append("failed", new BsonInt64(server.failed()))
        .append("ejections", new BsonInt64(server.ejections()))
        .append("inProgress", new BsonInt32(server.operationsInProgress()))
        .append("connections", new BsonInt32(server.connections()));
  }

  private static BsonValue millis(@Nullable Duration duration) {
    return duration == null ? BsonNull.VALUE : new BsonDouble(duration.toNanos() / 1_000_000.0);
  }
}
