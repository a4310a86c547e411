// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.Action;
import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.Message;
import io.fairlead.server.replication.protocol.Protocol;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.server.replication.protocol.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the protocol: one virtual thread that owns the state, takes events one by one, publishes the
 * next state and then has its actions performed. Any thread may post and read; only the loop's own
 * thread changes.
 */
final class ProtocolLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProtocolLoop.class);
  private static final Duration TICK = Duration.ofMillis(25);

  /** What the loop does to the world. Called on the loop's thread; must not wait for peers. */
  interface Effects {
    void published(ReplicaState before, ReplicaState after);

    void perform(Action action);

    /** Whether this member's disk can be written now. */
    boolean diskWorks();
  }

  private final String name;
  private final InstantSource wall;
  private final RandomGenerator random;
  private final Effects effects;
  private final LinkedBlockingQueue<Event> inbox = new LinkedBlockingQueue<>();
  private final Map<Long, CompletableFuture<Message>> asked = new ConcurrentHashMap<>();
  private final AtomicLong requests = new AtomicLong();
  private final Instant startedAt;
  private final long startedNanos;
  private final Thread thread;
  private volatile ReplicaState state;
  private volatile boolean closed;

  ProtocolLoop(
      String name,
      ReplicaState initial,
      InstantSource wall,
      RandomGenerator random,
      Effects effects) {
    this.name = name;
    this.state = initial;
    this.wall = wall;
    this.random = random;
    this.effects = effects;
    this.startedAt = initial.lastEvent();
    this.startedNanos = System.nanoTime();
    this.thread = Thread.ofVirtual().name("fairlead-" + name + "-protocol").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  ReplicaState state() {
    return state;
  }

  /** The protocol's time: the wall clock's at the start, steady from there. */
  Instant now() {
    return startedAt.plusNanos(System.nanoTime() - startedNanos);
  }

  void post(Event event) {
    inbox.add(event);
  }

  /**
   * Posts a request and waits for its answer.
   *
   * @throws TimeoutException when there is none in time; the loop is closed, perhaps
   */
  Message ask(LongFunction<Event> request, Duration atMost)
      throws InterruptedException, TimeoutException {
    long number = requests.incrementAndGet();
    CompletableFuture<Message> answer = new CompletableFuture<>();
    asked.put(number, answer);
    try {
      post(request.apply(number));
      return answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("an answer is never completed with an error", e);
    } finally {
      asked.remove(number);
    }
  }

  private void run() {
    long ticked = System.nanoTime();
    while (!closed) {
      try {
        long untilTick = ticked + TICK.toNanos() - System.nanoTime();
        Event event = untilTick <= 0 ? null : inbox.poll(untilTick, TimeUnit.NANOSECONDS);
        if (event == null) {
          ticked = System.nanoTime();
        }
        if (!closed) {
          on(event == null ? new Event.Tick(effects.diskWorks()) : event);
        }
      } catch (InterruptedException e) {
        return; // only close() interrupts
      } catch (RuntimeException e) {
        LOG.error("[{}] an event could not be worked on; the member goes on", name, e);
      }
    }
  }

  private void on(Event event) {
    ReplicaState before = state;
    Instant now = now();
    Step step =
        Protocol.on(
            before, event, now.isBefore(before.lastEvent()) ? before.lastEvent() : now, random);
    state = step.next();
    effects.published(before, step.next());
    act(step.actions());
  }

  /** A vote that could not be stored is not given: nobody may hear of it. */
  private void act(List<Action> actions) {
    boolean voteStored = true;
    for (Action action : actions) {
      boolean tellsOthers = action instanceof Action.Answer || action instanceof Action.RequestVote;
      if (voteStored || !tellsOthers) {
        boolean done = act(action);
        voteStored &= done || !(action instanceof Action.StoreVote);
      }
    }
  }

  /**
   * One action that fails does not keep the others from being performed: some of them answer, some
   * close the log.
   *
   * @return whether it was performed
   */
  private boolean act(Action action) {
    try {
      switch (action) {
        case Action.Answer answer -> {
          CompletableFuture<Message> waiting = asked.get(answer.request());
          if (waiting != null) {
            waiting.complete(answer.reply());
          }
        }
        case Action.Note note -> LOG.info("[{}] {}", name, note.line());
        default -> effects.perform(action);
      }
      return true;
    } catch (RuntimeException e) {
      if (closed) {
        LOG.debug("[{}] {} was not performed, the member is closing", name, action, e);
      } else {
        LOG.error("[{}] {} could not be performed", name, action, e);
      }
      return false;
    }
  }

  /** The wall clock, for what is shown to people. */
  Instant wallTime() {
    return wall.instant();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
