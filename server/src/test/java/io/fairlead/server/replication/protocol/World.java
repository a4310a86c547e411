// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * A replica set in one thread: the real protocol on a seeded clock and network. Members' logs are
 * lists of positions; a crash loses everything but log, vote and configuration. What must always
 * hold is checked at every step.
 */
final class World {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private record Happening(Instant at, long order, Runnable what) {}

  /** One member's disk and memory. */
  private static final class Node {
    final int id;
    final List<OpTime> log = new ArrayList<>();
    Vote vote = Vote.NONE;
    ReplicaSetConfig config;
    @Nullable ReplicaState state;
    int incarnation;
    int source = -1;
    boolean fetching;
    OpTime committed = OpTime.NONE;
    boolean diskWorks = true;

    Node(int id, ReplicaSetConfig config) {
      this.id = id;
      this.config = config;
    }

    OpTime last() {
      return log.isEmpty() ? OpTime.NONE : log.getLast();
    }
  }

  private final Random random;
  private final PriorityQueue<Happening> agenda =
      new PriorityQueue<>(Comparator.comparing(Happening::at).thenComparingLong(Happening::order));
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Long, Integer> primaries = new HashMap<>();
  private final Set<OpTime> committed = new HashSet<>();
  private final Set<List<Integer>> cut = new HashSet<>();
  private final Map<Long, java.util.function.Consumer<Message>> waiting = new HashMap<>();
  private Instant now = START;
  private long order;
  private long requests;
  private int clock = 1;
  private double loss;
  private int slowest = 10;
  int elections;

  private World(long seed) {
    random = new Random(seed);
  }

  static World of(long seed, ReplicaSetConfig config) {
    World world = new World(seed);
    config.members().forEach(member -> world.nodes.add(new Node(member.id(), config)));
    // every member begins with the entry that initiated the set
    OpTime initiated = new OpTime(new BsonTimestamp(world.clock, 1), -1);
    world.nodes.forEach(node -> node.log.add(initiated));
    world.nodes.forEach(world::start);
    return world;
  }

  static ReplicaSetConfig config(int members) {
    return ReplicaSetConfig.of(
        "rs",
        IntStream.range(0, members).mapToObj(i -> "m" + i + ":1").toList(),
        ReplicaSetConfig.Settings.quick(new ObjectId()));
  }

  // ---- what a test does to the world

  World crash(int id) {
    Node node = nodes.get(id);
    node.state = null;
    node.incarnation++;
    node.source = -1;
    node.fetching = false;
    node.committed = OpTime.NONE;
    return this;
  }

  World restart(int id) {
    if (nodes.get(id).state == null) {
      start(nodes.get(id));
    }
    return this;
  }

  /** Nothing can be written there from now on: no entry, no vote. */
  World fillDisk(int id) {
    nodes.get(id).diskWorks = false;
    return this;
  }

  World partition(Set<Integer> side) {
    for (Node a : nodes) {
      for (Node b : nodes) {
        if (side.contains(a.id) != side.contains(b.id)) {
          cut.add(List.of(a.id, b.id));
        }
      }
    }
    return this;
  }

  World heal() {
    cut.clear();
    loss = 0;
    slowest = 10;
    nodes.forEach(
        node -> {
          node.diskWorks = true;
          restart(node.id);
        });
    return this;
  }

  World runFor(Duration duration) {
    Instant end = now.plus(duration);
    while (!agenda.isEmpty() && !agenda.peek().at.isAfter(end)) {
      Happening next = agenda.remove();
      now = next.at;
      next.what.run();
    }
    now = end;
    return this;
  }

  /** Crashes, cuts, slows and writes at random. */
  World chaos(Duration duration) {
    Instant end = now.plus(duration);
    while (now.isBefore(end)) {
      int id = random.nextInt(nodes.size());
      switch (random.nextInt(12)) {
        case 0 -> crash(id);
        case 1, 2 -> restart(id);
        case 3 -> partition(Set.of(id));
        case 4 -> partition(new HashSet<>(List.of(id, random.nextInt(nodes.size()))));
        case 5 -> cut.clear();
        case 6 -> loss = random.nextDouble() / 3;
        case 7 -> slowest = 1 + random.nextInt(400);
        case 8 -> stepDown(id);
        case 9 -> fillDisk(id);
        case 10 -> nodes.forEach(node -> node.diskWorks = true);
        default -> nodes.forEach(node -> restart(node.id));
      }
      runFor(Duration.ofMillis(random.nextInt(900)));
    }
    return this;
  }

  void stepDown(int id) {
    Node node = nodes.get(id);
    if (node.state != null) {
      on(
          node,
          new Event.StepDown(
              ++requests, Duration.ofMillis(500), Duration.ofSeconds(1), random.nextBoolean()));
    }
  }

  @Nullable ReplicaState state(int id) {
    return nodes.get(id).state;
  }

  List<Integer> writablePrimaries() {
    return nodes.stream()
        .filter(node -> node.state != null && node.state.isWritablePrimary())
        .map(node -> node.id)
        .toList();
  }

  void checkConverged() {
    List<Integer> leaders = writablePrimaries();
    require(leaders.size() == 1, "one primary after all is well, but there are " + leaders);
    OpTime end = nodes.get(leaders.getFirst()).last();
    for (Node node : nodes) {
      require(
          node.log.contains(end)
              || end.timestamp().getTime() - node.last().timestamp().getTime() < 200,
          "member " + node.id + " has " + node.last() + ", the primary " + end);
    }
    require(committed.size() > 1, "something was committed");
  }

  // ---- how it runs

  private void start(Node node) {
    long term = Math.max(node.vote.term(), node.last().term());
    node.state =
        ReplicaState.starting(
            "rs",
            "m" + node.id + ":1",
            Math.max(0, term),
            node.vote,
            ReplicaState.Data.READY,
            node.last(),
            now);
    int incarnation = node.incarnation;
    on(node, new Event.ConfigOffered(node.config));
    tick(node, incarnation);
  }

  private void tick(Node node, int incarnation) {
    in(
        Duration.ofMillis(50),
        () -> {
          if (node.incarnation == incarnation) {
            on(node, new Event.Tick(node.diskWorks));
            write(node);
            fetch(node);
            tick(node, incarnation);
          }
        });
  }

  private void in(Duration delay, Runnable what) {
    agenda.add(new Happening(now.plus(delay), order++, what));
  }

  private void on(Node node, Event event) {
    if (node.state == null) {
      return;
    }
    Step step = Protocol.on(node.state, event, now, random);
    node.state = step.next();
    require(
        node.state.committed().compareTo(node.committed) >= 0,
        "the commit point of " + node.id + " went back");
    node.committed = node.state.committed();
    boolean voteKept = true;
    for (Action action : step.actions()) {
      voteKept &= node.diskWorks || !(action instanceof Action.StoreVote);
      if (voteKept || !(action instanceof Action.Answer || action instanceof Action.RequestVote)) {
        perform(node, action);
      }
    }
  }

  private void perform(Node node, Action action) {
    switch (action) {
      case Action.SendHeartbeat send -> heartbeat(node, send);
      case Action.RequestVote vote -> vote(node, vote);
      case Action.Answer answer -> {
        var consumer = waiting.remove(answer.request());
        if (consumer != null) {
          consumer.accept(answer.reply());
        }
      }
      case Action.StoreVote(Vote vote) when !node.diskWorks -> {}
      case Action.StoreVote(Vote vote) -> {
        require(
            vote.term() > node.vote.term() || vote.equals(node.vote),
            "member " + node.id + " votes twice: " + vote);
        node.vote = vote;
      }
      case Action.StoreConfig(ReplicaSetConfig config) -> node.config = config;
      case Action.SyncFrom(int source) -> node.source = source;
      case Action.StopSyncing stop -> node.source = -1;
      case Action.OpenTerm open when !node.diskWorks ->
          on(node, new Event.StepDown(-1, Duration.ZERO, Duration.ofSeconds(1), true));
      case Action.OpenTerm(long term) -> {
        Integer other = primaries.put(term, node.id);
        require(
            other == null || other == node.id,
            "two primaries in term " + term + ": " + other + " and " + node.id);
        elections++;
        require(
            new HashSet<>(node.log).containsAll(committed),
            "primary " + node.id + " of term " + term + " lacks committed entries");
        append(node, term);
        on(node, new Event.Opened());
      }
      case Action.CommitAdvanced(OpTime upTo) -> committed(node, upTo);
      case Action.AskToStand(int member) ->
          send(
              node,
              nodes.get(member),
              () -> on(nodes.get(member), new Event.StandForElection(true)));
      case Action.ReportPosition report -> report(node);
      case Action.CloseForWrites close -> {}
      case Action.SteppedDown down -> {}
      case Action.FetchConfig fetch -> {}
      case Action.Note note -> {}
    }
  }

  private void committed(Node node, OpTime upTo) {
    for (OpTime entry : node.log.reversed()) {
      if (entry.compareTo(upTo) <= 0 && !committed.add(entry)) {
        return; // and so all before it
      }
    }
  }

  private void write(Node node) {
    if (node.state != null
        && node.diskWorks
        && node.state.isWritablePrimary()
        && random.nextInt(3) == 0) {
      append(node, node.state.term());
    }
  }

  private void append(Node node, long term) {
    clock = Math.max(clock, node.last().timestamp().getTime()) + 1;
    node.log.add(new OpTime(new BsonTimestamp(clock, 1), term));
    on(node, new Event.Applied(node.last()));
  }

  private void send(Node from, Node to, Runnable arrival) {
    if (cut.contains(List.of(from.id, to.id)) || random.nextDouble() < loss) {
      return;
    }
    int incarnation = to.incarnation;
    in(
        Duration.ofMillis(1 + random.nextInt(slowest)),
        () -> {
          if (to.state != null && to.incarnation == incarnation) {
            arrival.run();
          }
        });
  }

  /** A request and its answer; {@code failed} when that does not come within a second. */
  private void ask(
      Node from,
      Node to,
      java.util.function.LongFunction<Event> request,
      java.util.function.Consumer<Message> reply,
      Runnable failed) {
    boolean[] over = {false};
    int incarnation = from.incarnation;
    send(
        from,
        to,
        () -> {
          long number = ++requests;
          waiting.put(
              number,
              message ->
                  send(
                      to,
                      from,
                      () -> {
                        if (!over[0] && from.incarnation == incarnation) {
                          over[0] = true;
                          reply.accept(message);
                        }
                      }));
          on(to, request.apply(number));
        });
    in(
        Duration.ofSeconds(1),
        () -> {
          if (!over[0] && from.incarnation == incarnation) {
            over[0] = true;
            failed.run();
          }
        });
  }

  private void heartbeat(Node node, Action.SendHeartbeat send) {
    Instant sent = now;
    ask(
        node,
        nodes.get(send.member()),
        number -> new Event.HeartbeatReceived(number, send.message()),
        reply ->
            on(
                node,
                new Event.HeartbeatAnswered(
                    send.member(), (Message.HeartbeatReply) reply, Duration.between(sent, now))),
        () -> on(node, new Event.HeartbeatFailed(send.member(), "no answer")));
  }

  private void vote(Node node, Action.RequestVote vote) {
    Message.VoteRequest request = vote.message();
    ask(
        node,
        nodes.get(vote.member()),
        number -> new Event.VoteRequested(number, request),
        reply ->
            on(
                node,
                new Event.VoteAnswered(
                    vote.member(), request.dryRun(), request.term(), (Message.VoteReply) reply)),
        () -> on(node, new Event.VoteFailed(vote.member(), request.dryRun(), request.term())));
  }

  private void report(Node node) {
    if (node.source < 0) {
      return;
    }
    Map<Integer, OpTime> positions = new HashMap<>();
    positions.put(node.id, node.last());
    Objects.requireNonNull(node.state)
        .peers()
        .forEach((id, peer) -> positions.put(id, peer.applied()));
    Node source = nodes.get(node.source);
    send(node, source, () -> on(source, new Event.PositionsReported(positions)));
  }

  /** Pulls once; a rollback goes to the newest entry that both have. */
  private void fetch(Node node) {
    if (node.source < 0 || node.fetching) {
      return;
    }
    Node source = nodes.get(node.source);
    node.fetching = true;
    int incarnation = node.incarnation;
    in(
        Duration.ofMillis(900),
        () -> {
          if (node.incarnation == incarnation) {
            node.fetching = false;
          }
        });
    send(
        node,
        source,
        () -> {
          List<OpTime> theirs = new ArrayList<>(source.log);
          OpTime known = Objects.requireNonNull(source.state).committed();
          send(
              source,
              node,
              () -> {
                node.fetching = false;
                if (node.source == source.id) {
                  pulled(node, theirs, known);
                }
              });
        });
  }

  private void pulled(Node node, List<OpTime> theirs, OpTime known) {
    if (!node.diskWorks) {
      return;
    }
    int common = 0;
    while (common < theirs.size()
        && common < node.log.size()
        && theirs.get(common).equals(node.log.get(common))) {
      common++;
    }
    if (common < node.log.size()) {
      if (theirs.isEmpty() || theirs.getLast().compareTo(node.last()) < 0) {
        return; // a source that is behind is not followed backwards
      }
      List<OpTime> gone = node.log.subList(common, node.log.size());
      gone.forEach(
          entry -> require(!committed.contains(entry), "committed " + entry + " was rolled back"));
      gone.clear();
    }
    node.log.addAll(theirs.subList(common, theirs.size()));
    on(node, new Event.Applied(node.last()));
    on(node, new Event.CommittedHeard(known));
  }

  private void require(boolean held, String what) {
    if (!held) {
      throw new AssertionError(what + ", at " + Duration.between(START, now).toMillis() + " ms");
    }
  }
}
