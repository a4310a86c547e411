// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Placement;
import io.fairlead.server.command.Trait;

/** Commands on documents that are known and refused. */
final class Refused {
  private Refused() {}

  static CommandSpec mapReduce() {
    return CommandSpec.named("mapReduce")
        .alias("mapreduce")
        .on(Placement.READ)
        .with(Trait.READS, Trait.WRITES, Trait.LENIENT)
        .needs("find")
        .help("Refused: there is no JavaScript here. Use an aggregation pipeline.")
        .runs(
            context -> {
              throw Failures.of(
                  115,
                  "mapReduce needs JavaScript, which is not supported; use an aggregation"
                      + " pipeline");
            });
  }
}
