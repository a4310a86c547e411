// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.error.EngineException;
import io.fairlead.server.oplog.OplogWriter;
import io.fairlead.server.replication.protocol.Event;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the log for the writes of a primary, and closes it. An order that has been overtaken by
 * another does nothing.
 */
final class WriteGate {
  private static final Logger LOG = LoggerFactory.getLogger(WriteGate.class);

  /** Writes a note into the log while it is closed for all others. */
  interface FirstEntry {
    void write(String message, long term);
  }

  private final String name;
  private final OplogWriter writer;
  private final FollowerData data;
  private final ProtocolPort protocol;
  private final MemberThreads threads;
  private final FirstEntry firstEntry;

  private final ReentrantLock gate = new ReentrantLock();
  private long gateOrders;

  WriteGate(
      String name,
      OplogWriter writer,
      FollowerData data,
      ProtocolPort protocol,
      MemberThreads threads,
      FirstEntry firstEntry) {
    this.name = name;
    this.writer = writer;
    this.data = data;
    this.protocol = protocol;
    this.threads = threads;
    this.firstEntry = firstEntry;
  }

  /** No writes are let in from now on, whatever was ordered before. */
  void close() {
    gate.lock();
    try {
      gateOrders++;
      writer.close();
    } finally {
      gate.unlock();
    }
  }

  /** Writes a new leader's first entry and lets writes in, unless it is closed first. */
  void open(long term) {
    long order;
    gate.lock();
    try {
      order = ++gateOrders;
    } finally {
      gate.unlock();
    }
    threads.start(
        "open",
        () ->
            data.whileNotApplying(
                () -> {
                  if (isCurrent(order)) {
                    openNow(order, term);
                  }
                }));
  }

  /** A primary that cannot write must not lead: it gives way to another. */
  private void openNow(long order, long term) {
    try {
      firstEntry.write("new primary", term);
      letIn(order, term);
    } catch (EngineException failure) {
      LOG.error("[{}] could not open term {}; stepping down", name, term, failure);
      protocol.post(new Event.StepDown(-1, Duration.ZERO, Duration.ofSeconds(1), true));
    }
  }

  private boolean isCurrent(long order) {
    gate.lock();
    try {
      return order == gateOrders && !threads.isClosed();
    } finally {
      gate.unlock();
    }
  }

  private void letIn(long order, long term) {
    gate.lock();
    try {
      if (order == gateOrders && !threads.isClosed()) {
        writer.open(term);
        protocol.post(new Event.Opened());
      }
    } finally {
      gate.unlock();
    }
  }
}
