// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.ServerDescription;
import java.util.List;

/**
 * How a choice came about: every server of the topology, the step at which it fell out, and why.
 *
 * @param wanted what was looked for
 * @param fates one for every server, in the topology's order
 * @param notes what happened to the whole, such as that all ejected servers were let back in
 */
public record SelectionTrace(
    String wanted, List<Fate> fates, List<String> notes, Selection selection) {
  public SelectionTrace {
    fates = List.copyOf(fates);
    notes = List.copyOf(notes);
  }

  /** The steps of selection, in order. */
  public enum Step {
    AVOIDED("avoided"),
    SUITABLE("suitable"),
    STALENESS("max staleness"),
    TAGS("tag sets"),
    MAX_PING("max ping"),
    SELECTOR("application's selector"),
    WINDOW("latency window"),
    LESSER_OF_TWO("lesser of two"),
    CHOSEN("chosen");

    private final String words;

    Step(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * What became of one server.
   *
   * @param step at which the server fell out, or {@link Step#CHOSEN}; those that reached the last
   *     step and were not taken have {@link Step#LESSER_OF_TWO}
   */
  public record Fate(ServerDescription server, Step step, String why) {
    /** Whether the server was among those from which two were drawn. */
    public boolean isCandidate() {
      return step == Step.CHOSEN || step == Step.LESSER_OF_TWO;
    }
  }

  /** The servers from which two were drawn. */
  public List<ServerDescription> candidates() {
    return fates.stream().filter(Fate::isCandidate).map(Fate::server).toList();
  }
}
