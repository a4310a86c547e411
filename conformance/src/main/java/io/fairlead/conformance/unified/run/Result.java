// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A verdict and what it is on.
 *
 * @param topology what it ran on; null when it ran nowhere
 */
public record Result(
    String suite,
    String file,
    String test,
    @Nullable TopologyKind topology,
    Verdict verdict,
    Duration took) {

  Result with(Verdict other) {
    return new Result(suite, file, test, topology, other, took);
  }
}
