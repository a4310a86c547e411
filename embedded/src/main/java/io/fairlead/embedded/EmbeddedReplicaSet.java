// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.engine.error.EngineException;
import io.fairlead.server.replication.ReadConcern;
import io.fairlead.server.replication.protocol.MemberState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A replica set of a cluster, and what may be done to the network between its members. Any thread
 * may call.
 */
public final class EmbeddedReplicaSet implements AutoCloseable {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

  private final String name;
  private final List<EmbeddedMember> members;
  private final Links links;

  EmbeddedReplicaSet(String name, List<EmbeddedMember> members, Links links) {
    this.name = name;
    this.members = List.copyOf(members);
    this.links = links;
  }

  /**
   * Starts the members, the one that is to lead last, so that all others can vote for it at once.
   */
  void start() {
    List<Thread> starting = new ArrayList<>();
    List<RuntimeException> failures = new CopyOnWriteArrayList<>();
    for (EmbeddedMember member : members.subList(1, members.size())) {
      starting.add(
          Thread.ofVirtual()
              .name("fairlead-" + member.name() + "-start")
              .start(
                  () -> {
                    try {
                      member.start();
                    } catch (RuntimeException failure) {
                      failures.add(failure);
                    }
                  }));
    }
    for (Thread thread : starting) {
      join(thread);
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    members.getFirst().start();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while starting", e);
    }
  }

  public String name() {
    return name;
  }

  public List<EmbeddedMember> members() {
    return members;
  }

  /** {@code mongodb://host:port,host:port/?replicaSet=name}. */
  public String connectionString() {
    return "mongodb://" + addresses() + "/?replicaSet=" + name;
  }

  /** {@code name/host:port,host:port}, as {@code addShard} and routers take it. */
  public String setAndHosts() {
    return name + "/" + addresses();
  }

  private String addresses() {
    return members.stream().map(EmbeddedMember::address).collect(Collectors.joining(","));
  }

  /** The member that leads at the moment; of two that think they do, the one of the higher term. */
  public Optional<EmbeddedMember> findPrimary() {
    return members.stream()
        .filter(EmbeddedMember::isPrimary)
        .max(Comparator.comparingLong(EmbeddedMember::term));
  }

  /**
   * The member that leads.
   *
   * @throws IllegalStateException when none does at the moment
   */
  public EmbeddedMember primary() {
    return findPrimary().orElseThrow(() -> new IllegalStateException("no primary; " + describe()));
  }

  /** The members that follow at the moment; not all, soon after a start. */
  public List<EmbeddedMember> secondaries() {
    return members.stream().filter(member -> member.state() == MemberState.SECONDARY).toList();
  }

  /**
   * Waits for a primary that a majority follows: one that has just had a write confirmed by it.
   *
   * @throws IllegalStateException when there is none in time, saying what each member is
   */
  public EmbeddedMember awaitPrimary(Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    return await(
        "a primary", atMost, () -> findPrimary().filter(leading -> isConfirmed(leading, deadline)));
  }

  /**
   * Waits until all members but one follow: a set has started when a majority does, and the others
   * come soon after.
   *
   * @throws IllegalStateException when one does not in time, saying what each member is
   */
  public List<EmbeddedMember> awaitSecondaries(Duration atMost) {
    return await(
        "all secondaries",
        atMost,
        () -> Optional.of(secondaries()).filter(some -> some.size() == members.size() - 1));
  }

  private <T> T await(String what, Duration atMost, Supplier<Optional<T>> look) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < atMost.toNanos()) {
      Optional<T> found = look.get();
      if (found.isPresent()) {
        return found.get();
      }
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException(
            "interrupted while waiting for " + what + "; " + describe());
      }
    }
    throw new IllegalStateException(what + " not within " + atMost + "; " + describe());
  }

  private static boolean isConfirmed(EmbeddedMember primary, long deadline) {
    try {
      Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
      primary
          .coordinator()
          .readSnapshot(new ReadConcern(ReadConcern.Level.LINEARIZABLE, null, null), left);
      return true;
    } catch (EngineException | IllegalStateException notNow) {
      return false; // stepped down or killed meanwhile; somebody else will lead
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String describe() {
    return members.stream()
        .map(member -> member.name() + " " + member.state())
        .collect(Collectors.joining(", ", "set " + name + ": ", ""));
  }

  /** Cuts the network between these members and all others; clients reach both sides. */
  public void partition(EmbeddedMember... side) {
    List<EmbeddedMember> here = List.of(side);
    for (EmbeddedMember one : here) {
      for (EmbeddedMember other : members) {
        if (!here.contains(other)) {
          links.cut(one.address(), other.address());
        }
      }
    }
  }

  /** Every message between the two takes that much longer. */
  public void delay(EmbeddedMember one, EmbeddedMember other, Duration duration) {
    links.delay(one.address(), other.address(), duration);
  }

  /** Ends all partitions and delays between members. */
  public void heal() {
    links.mendAll();
  }

  @Override
  public void close() {
    List<Thread> closing = new ArrayList<>();
    for (EmbeddedMember member : members) {
      closing.add(
          Thread.ofVirtual().name("fairlead-" + member.name() + "-close").start(member::close));
    }
    closing.forEach(EmbeddedReplicaSet::join);
  }
}
