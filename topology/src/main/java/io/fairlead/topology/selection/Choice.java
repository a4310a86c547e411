// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.Words;
import io.fairlead.topology.readpreference.LatencyWindow;
import io.fairlead.topology.selection.SelectionTrace.Step;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One choice of one server, from the topology of one moment. Used once, by one thread. */
final class Choice {
  private static final String ONLY = "the only one near enough";
  private static final String LESS_LOADED =
      "fewer operations in progress than the other of two drawn";
  private static final String EQUALLY_LOADED = "first of two drawn, equally loaded";

  private final TopologyDescription topology;
  private final SelectionRequest request;
  private final @Nullable Recorder recorder;
  private boolean despiteEjection;

  Choice(TopologyDescription topology, SelectionRequest request, @Nullable Recorder recorder) {
    this.topology = topology;
    this.request = request;
    this.recorder = recorder;
  }

  Selection choose(ToIntFunction<HostAddress> load, RandomGenerator random) {
    Optional<String> fault = impossibility();
    if (fault.isPresent()) {
      return new Selection.Impossible(fault.get());
    }
    List<Tier> tiers = Tier.of(topology.type(), request);
    Candidates wanted = notAvoidedAndSuitable(tiers);
    if (wanted.isEmpty()) {
      return new Selection.NotYet(missing());
    }
    keepNear(wanted);
    return lesserOfTwo(wanted, load, random);
  }

  boolean anySuitableOutside(Set<HostAddress> tried) {
    if (impossibility().isPresent()) {
      return false;
    }
    for (Tier tier : Tier.of(topology.type(), request)) {
      if (!suitable(tier, tried, Set.of()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private Optional<String> impossibility() {
    String incompatible = topology.compatibilityError();
    if (incompatible != null) {
      return Optional.of(incompatible);
    }
    Duration maxStaleness = request.preference().maxStaleness();
    if (maxStaleness != null && topology.type().isReplicaSet() && !request.kind().needsWritable()) {
      return Staleness.refusal(maxStaleness, request.heartbeat());
    }
    return Optional.empty();
  }

  /**
   * The first tier that has somebody. Ejection chooses only within a tier, so the ejected of a
   * better tier come before the next tier; the deprioritized come back when all tiers are empty
   * without them.
   */
  private Candidates notAvoidedAndSuitable(List<Tier> tiers) {
    Candidates found = firstNonEmpty(tiers, request.deprioritized());
    if (found.isEmpty() && !request.deprioritized().isEmpty()) {
      Candidates tried = firstNonEmpty(tiers, Set.of());
      if (!tried.isEmpty()) {
        note("nobody suitable is left beside the deprioritized, which are let back in");
      }
      return tried;
    }
    return found;
  }

  private Candidates firstNonEmpty(List<Tier> tiers, Set<HostAddress> deprioritized) {
    Candidates found = suitable(tiers.getFirst(), deprioritized, request.ejected());
    for (int i = 0; ; i++) {
      if (found.isEmpty() && !request.ejected().isEmpty()) {
        found = suitable(tiers.get(i), deprioritized, Set.of());
        despiteEjection = !found.isEmpty();
        if (despiteEjection) {
          note("everybody suitable is ejected, so ejections are ignored");
        }
      }
      if (!found.isEmpty() || i == tiers.size() - 1) {
        return found;
      }
      found = suitable(tiers.get(i + 1), deprioritized, request.ejected());
    }
  }

  private Candidates suitable(Tier tier, Set<HostAddress> deprioritized, Set<HostAddress> ejected) {
    Candidates candidates = new Candidates(topology.list(), recorder);
    keepUnavoided(candidates, deprioritized, ejected);
    candidates.keep(Step.SUITABLE, tier::holds, tier::refusal);
    if (tier.asksForFreshnessAndTags()) {
      keepFresh(candidates);
      keepTagged(candidates);
    }
    keepWithinMaxPing(candidates, tier);
    keepSelected(candidates);
    return candidates;
  }

  private static void keepUnavoided(
      Candidates candidates, Set<HostAddress> deprioritized, Set<HostAddress> ejected) {
    if (!deprioritized.isEmpty()) {
      candidates.keep(
          Step.AVOIDED,
          server -> !deprioritized.contains(server.address()),
          server -> "tried by this operation already");
    }
    if (!ejected.isEmpty()) {
      candidates.keep(
          Step.AVOIDED,
          server -> !ejected.contains(server.address()),
          server -> "ejected by health");
    }
  }

  private void keepFresh(Candidates candidates) {
    Duration limit = request.preference().maxStaleness();
    if (limit != null && !candidates.isEmpty()) {
      Staleness staleness = new Staleness(topology, request.heartbeat());
      candidates.keep(
          Step.STALENESS, server -> staleness.within(server, limit), staleness::tooStale);
    }
  }

  /** The first tag set that anybody matches decides. */
  private void keepTagged(Candidates candidates) {
    List<Map<String, String>> sets = request.preference().tagSets();
    if (sets.isEmpty() || candidates.isEmpty()) {
      return;
    }
    for (Map<String, String> set : sets) {
      WantedTags wanted = WantedTags.of(set);
      if (candidates.any(wanted)) {
        candidates.keep(Step.TAGS, wanted, server -> lacks(server, List.of(set)));
        return;
      }
    }
    candidates.keep(Step.TAGS, server -> false, server -> lacks(server, sets));
  }

  private static String lacks(ServerDescription server, List<Map<String, String>> sets) {
    return "tags "
        + Words.tags(server.tags())
        + " don't match "
        + sets.stream().map(Words::tags).collect(Collectors.joining(" nor "));
  }

  private void keepWithinMaxPing(Candidates candidates, Tier tier) {
    Duration limit = maxPing(tier);
    if (limit != null) {
      long limitNanos = limit.toNanos();
      candidates.keep(
          Step.MAX_PING,
          server -> server.roundTripNanos() <= limitNanos,
          server -> ping(server) + " is more than the " + Words.duration(limit) + " of maxPing");
    }
  }

  private @Nullable Duration maxPing(Tier tier) {
    Duration own = request.preference().maxPing();
    if (own != null && tier.readsByPreference()) {
      return own;
    }
    return tier.offersChoice() ? request.maxPing() : null;
  }

  private void keepSelected(Candidates candidates) {
    ApplicationSelector selector = request.selector();
    if (selector == null || candidates.isEmpty()) {
      return;
    }
    Set<HostAddress> selected = new HashSet<>();
    selector.select(candidates.toList()).forEach(server -> selected.add(server.address()));
    candidates.keep(
        Step.SELECTOR,
        server -> selected.contains(server.address()),
        server -> "not wanted by the application's selector");
  }

  private void keepNear(Candidates candidates) {
    if (candidates.size() < 2) {
      return;
    }
    LatencyWindow window = window();
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < candidates.size(); i++) {
      fastest = Math.min(fastest, candidates.get(i).roundTripNanos());
    }
    long limit = window.limitNanos(fastest);
    candidates.keep(
        Step.WINDOW,
        server -> server.roundTripNanos() <= limit,
        server ->
            ping(server)
                + " is not "
                + window
                + " (up to "
                + Words.duration(Duration.ofNanos(limit))
                + ")");
  }

  /**
   * Before mongoses the read's own window travels with it: there it says which members are near,
   * not which mongoses.
   */
  private LatencyWindow window() {
    LatencyWindow own = request.preference().latencyWindow();
    return own != null && topology.type().isReplicaSet() ? own : request.window();
  }

  private Selection lesserOfTwo(
      Candidates candidates, ToIntFunction<HostAddress> load, RandomGenerator random) {
    int count = candidates.size();
    if (count == 1) {
      return chosen(candidates.get(0), ONLY);
    }
    int first = random.nextInt(count);
    int other = random.nextInt(count - 1);
    ServerDescription one = candidates.get(first);
    ServerDescription two = candidates.get(other < first ? other : other + 1);
    int loadOfOne = load.applyAsInt(one.address());
    int loadOfTwo = load.applyAsInt(two.address());
    if (loadOfOne == loadOfTwo) {
      return chosen(one, EQUALLY_LOADED);
    }
    return chosen(loadOfOne < loadOfTwo ? one : two, LESS_LOADED);
  }

  private Selection chosen(ServerDescription server, String because) {
    if (recorder != null) {
      recorder.out(server, Step.CHOSEN, because);
    }
    return new Selection.Chosen(server, because, despiteEjection);
  }

  /** Everything that the person on call wants to know; made only when there is nobody to choose. */
  private String missing() {
    Recorder told = recorder;
    if (told == null) {
      told = new Recorder();
      new Choice(topology, request, told).notAvoidedAndSuitable(Tier.of(topology.type(), request));
    }
    String set = topology.setName() == null ? "" : "(" + topology.setName() + ")";
    return "no server for "
        + request.wanted()
        + " in "
        + topology.type()
        + set
        + ": "
        + told.seen(topology);
  }

  private void note(String note) {
    if (recorder != null) {
      recorder.note(note);
    }
  }

  private static String ping(ServerDescription server) {
    return "ping " + Words.duration(Duration.ofNanos(server.roundTripNanos()));
  }
}
