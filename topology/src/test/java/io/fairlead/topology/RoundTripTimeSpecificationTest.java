// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fairlead.specs.Specification;
import io.fairlead.specs.SpecificationServers;
import java.time.Duration;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

final class RoundTripTimeSpecificationTest {

  @TestFactory
  Stream<DynamicNode> averages_round_trips() {
    return Specification.named("server-selection").eachFileIn("rtt", this::run);
  }

  private void run(BsonDocument file) {
    Specification.onlyKnown(file, "avg_rtt_ms", "new_rtt_ms", "new_avg_rtt");
    Duration sample = SpecificationServers.millis(file.get("new_rtt_ms"));
    RoundTripTime next =
        file.isString("avg_rtt_ms")
            ? RoundTripTime.of(sample)
            : RoundTripTime.of(SpecificationServers.millis(file.get("avg_rtt_ms"))).with(sample);
    double expected = file.getNumber("new_avg_rtt").doubleValue();
    assertThat(next.average().toNanos() / 1e6).isCloseTo(expected, within(1e-6));
  }
}
