// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.sickrouter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The fault is gone: how long until the routers that had it are back in the traffic of our clients?
 * Watched with a trickle of operations beside what is played next, on a thread of its own that
 * closes the clients when it has seen enough.
 */
final class Recovery implements AutoCloseable {

  private static final Duration BACK_WITHIN = Duration.ofSeconds(15);
  private static final double BACK_SHARE = 0.25;
  private static final long PAUSE_MILLIS = 200;

  private final Sickness sickness;
  private final List<Participant> clients;
  private final Judgement judgement;
  private final FutureTask<Judgement> watching = new FutureTask<>(this::watch);
  private final Thread thread;

  private Recovery(Sickness sickness, List<Participant> clients, Judgement judgement) {
    this.sickness = sickness;
    this.clients = clients;
    this.judgement = judgement;
    this.thread = Thread.ofVirtual().name("demo-recovery-" + sickness).unstarted(watching);
  }

  /** Begins now, when the fault has just been lifted; the clients are closed here. */
  static Recovery watch(Sickness sickness, List<Participant> clients, Judgement judgement) {
    Recovery recovery = new Recovery(sickness, List.copyOf(clients), judgement);
    recovery.thread.start();
    return recovery;
  }

  /** Whether there is nothing left to wait for. */
  boolean isOver() {
    return watching.isDone();
  }

  /** Waits for the end, which comes when all routers are back, or after 15 s; tells the outcome. */
  Judgement outcome() throws InterruptedException {
    try {
      return watching.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a recovery could not be watched", failed.getCause());
    }
  }

  private Judgement watch() throws InterruptedException {
    List<Participant> waiting = new ArrayList<>(clients);
    try {
      while (!waiting.isEmpty()) {
        for (Participant client : List.copyOf(waiting)) {
          boolean back = client.shareOfRecovered(sickness) >= BACK_SHARE;
          Duration after = client.sinceLifted();
          boolean inTime = after.compareTo(BACK_WITHIN) <= 0;
          if (back && inTime) {
            judgement.back(client.side(), after);
          }
          if (back || !inTime) {
            waiting.remove(client);
            client.close();
          }
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } finally {
      waiting.forEach(Participant::close);
    }
    return judgement;
  }

  /** Stops watching; for when the scenario is cut short. */
  @Override
  public void close() {
    if (watching.cancel(true)) {
      try {
        thread.join(BACK_WITHIN);
      } catch (InterruptedException | CancellationException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
