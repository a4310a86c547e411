// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One command while it runs: its time limit, and the handle by which {@code killOp}, a step-down or
 * the closing server stop it. The command's thread asks {@link #check}; others call {@link #kill}.
 */
public final class Operation implements OperationContext.Interrupt {
  /** How long a wait without {@code maxTimeMS} may last. */
  private static final Duration UNLIMITED = Duration.ofHours(24);

  private final long id;
  private final CommandSpec spec;
  private final String namespace;
  private final BsonDocument command;
  private final ClientState client;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final boolean limited;
  private final long deadlineNanos;

  /** Shared by the operations of one connection, of which there is one at a time. */
  private final ReentrantLock lock;

  private @Nullable Thread runner;
  private @Nullable CountDownLatch ended;
  private volatile int killCode;

  Operation(
      long id,
      CommandSpec spec,
      String namespace,
      BsonDocument command,
      ClientState client,
      @Nullable Duration timeLimit,
      LongSupplier nanoTime) {
    this.id = id;
    this.spec = spec;
    this.namespace = namespace;
    this.command = command;
    this.client = client;
    this.lock = client.operationLock();
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.limited = timeLimit != null;
    this.deadlineNanos = startNanos + (timeLimit == null ? UNLIMITED : timeLimit).toNanos();
    this.runner = Thread.currentThread();
  }

  /** The number by which {@code killOp} names it. */
  public long id() {
    return id;
  }

  public CommandSpec spec() {
    return spec;
  }

  /** {@code database.collection}, or the database alone. */
  public String namespace() {
    return namespace;
  }

  public BsonDocument command() {
    return command;
  }

  public ClientState client() {
    return client;
  }

  /** How long it has been running. */
  public Duration running() {
    return Duration.ofNanos(nanoTime.getAsLong() - startNanos);
  }

  /** Whether {@code maxTimeMS} limits it. */
  public boolean isLimited() {
    return limited;
  }

  /** What is left of its time; zero when it is over. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadlineNanos - nanoTime.getAsLong()));
  }

  /** Whether somebody has killed it. */
  public boolean isKilled() {
    return killCode != 0;
  }

  /**
   * Returns when the work may go on.
   *
   * @throws EngineException 50 when the time is over, or the code with which it was killed
   */
  @Override
  public void check() {
    int code = killCode;
    if (code != 0) {
      throw killed(code);
    }
    if (nanoTime.getAsLong() - deadlineNanos >= 0) {
      throw Failures.of(50, "operation exceeded time limit");
    }
  }

  /**
   * Waits.
   *
   * @throws EngineException as {@link #check} does, when it is killed or its time ends meanwhile
   */
  public void sleep(Duration duration) throws InterruptedException {
    Duration most = remaining();
    boolean whole = duration.compareTo(most) <= 0;
    try {
      TimeUnit.NANOSECONDS.sleep((whole ? duration : most).toNanos());
    } catch (InterruptedException interrupted) {
      throw killedOr(interrupted);
    }
    if (!whole) {
      check();
    }
  }

  /**
   * The failure that an interrupt means: the kill's own where the operation was killed, else the
   * interrupt itself.
   */
  InterruptedException killedOr(InterruptedException interrupted) {
    int code = killCode;
    if (code != 0) {
      throw killed(code);
    }
    return interrupted;
  }

  /**
   * The failure of a command's body: the kill's own where the interrupt of a kill ended a wait
   * inside the engine, which knows of no kill and says 11601, else the failure itself.
   */
  EngineException killedOr(EngineException failure) {
    int code = killCode;
    return code != 0 && failure.code() == ErrorCodes.INTERRUPTED ? killed(code) : failure;
  }

  /** Stops the operation with this code at its next check, and wakes it from a wait. */
  public void kill(int code) {
    lock.lock();
    try {
      Thread thread = runner;
      if (thread != null && killCode == 0) {
        killCode = code;
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Called by the command's thread when it is done: no kill reaches the thread after this. */
  void finish() {
    CountDownLatch awaited;
    lock.lock();
    try {
      runner = null;
      awaited = ended;
      if (killCode != 0) {
        Thread.interrupted(); // the kill's own interrupt, which would close the socket at the next
        // read
      }
    } finally {
      lock.unlock();
    }
    if (awaited != null) {
      awaited.countDown();
    }
  }

  /** Waits until the command is done; false when it is not within that time. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    CountDownLatch end;
    lock.lock();
    try {
      if (runner == null) {
        return true;
      }
      if (ended == null) {
        ended = new CountDownLatch(1);
      }
      end = ended;
    } finally {
      lock.unlock();
    }
    return end.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static EngineException killed(int code) {
    return Failures.of(
        code,
        switch (code) {
          case 11600 -> "interrupted at shutdown";
          case 11602 -> "operation was interrupted because the state of the replica set changed";
          case 237 -> "cursor killed";
          default -> "operation was interrupted";
        });
  }
}
