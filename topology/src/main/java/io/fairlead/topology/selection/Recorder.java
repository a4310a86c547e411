// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.selection.SelectionTrace.Fate;
import io.fairlead.topology.selection.SelectionTrace.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps what a choice tells while it is made; only the last round of it counts. */
final class Recorder {
  private final Map<HostAddress, Fate> fates = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  /** A round begins: whatever fell out before is back in. */
  void anew(List<ServerDescription> servers) {
    fates.clear();
    servers.forEach(
        server -> fates.put(server.address(), new Fate(server, Step.LESSER_OF_TWO, "")));
  }

  void out(ServerDescription server, Step step, String why) {
    fates.put(server.address(), new Fate(server, step, why));
  }

  void note(String note) {
    notes.add(note);
  }

  /** {@code a:27017 RSPrimary (not a secondary); b:27017 Unknown (refused)}. */
  String seen(TopologyDescription topology) {
    if (topology.list().isEmpty()) {
      return "no server is known";
    }
    List<String> each = new ArrayList<>();
    for (ServerDescription server : topology.list()) {
      Fate fate = fates.get(server.address());
      String why = fate == null || server.error() != null ? "" : fate.why();
      each.add(server.summary() + (why.isEmpty() ? "" : " [" + why + "]"));
    }
    return String.join("; ", each);
  }

  SelectionTrace trace(
      TopologyDescription topology, SelectionRequest request, Selection selection) {
    List<Fate> ordered = new ArrayList<>();
    for (ServerDescription server : topology.list()) {
      Fate fate = fates.get(server.address());
      ordered.add(
          fate == null ? new Fate(server, Step.SUITABLE, "the request can't be met at all") : fate);
    }
    return new SelectionTrace(request.wanted(), ordered, notes, selection);
  }
}
