// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo;

import io.fairlead.cli.terminal.Table;
import java.util.List;

/** One story told on the stage's cluster. Leaves the cluster healthy behind. */
public interface Scenario {

  /** Its name on the command line. */
  String name();

  /** What it shows, in one line. */
  String about();

  /**
   * Plays it.
   *
   * @param tables to which it adds each table that it prints
   * @return its claims, each held or not
   */
  List<Claim> play(Stage stage, List<Table> tables) throws InterruptedException;
}
