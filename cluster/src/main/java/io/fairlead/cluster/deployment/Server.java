// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.deployment;

import com.mongodb.connection.ServerId;
import io.fairlead.cluster.monitor.ServerMonitor;
import io.fairlead.cluster.pool.ConnectionPool;
import io.fairlead.topology.HostAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** One server of the deployment: its monitor, its pool and what was sent to it. */
public final class Server {
  private final HostAddress address;
  private final ServerId id;
  private final ConnectionPool pool;
  private final ServerMonitor monitor;
  private final AtomicInteger inProgress = new AtomicInteger();
  private final LongAdder attempts = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder failed = new LongAdder();

  Server(HostAddress address, ServerId id, ConnectionPool pool, ServerMonitor monitor) {
    this.address = address;
    this.id = id;
    this.pool = pool;
    this.monitor = monitor;
  }

  /** Its name in the topology. */
  public HostAddress address() {
    return address;
  }

  /** Its name in the public driver's events. */
  public ServerId id() {
    return id;
  }

  public ConnectionPool pool() {
    return pool;
  }

  public ServerMonitor monitor() {
    return monitor;
  }

  /** Attempts that have chosen this server and are not over. */
  public int inProgress() {
    return inProgress.get();
  }

  /** An attempt has chosen this server. */
  public void begun(boolean retry) {
    inProgress.incrementAndGet();
    attempts.increment();
    if (retry) {
      retries.increment();
    }
  }

  /** An attempt is over. */
  public void ended(boolean well) {
    inProgress.decrementAndGet();
    (well ? succeeded : failed).increment();
  }

  public long attempts() {
    return attempts.sum();
  }

  public long retries() {
    return retries.sum();
  }

  public long succeeded() {
    return succeeded.sum();
  }

  public long failed() {
    return failed.sum();
  }

  void start() {
    pool.start();
    monitor.start();
  }

  /** Ends monitor and pool and waits for their threads, a few seconds at most. */
  void close() {
    monitor.close();
    pool.close();
  }
}
