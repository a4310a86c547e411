// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ConnectionPoolSettings;
import io.fairlead.cluster.connection.ClientMetadata;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.cluster.event.EventQueue;
import io.fairlead.cluster.event.PoolEvents;
import io.fairlead.cluster.fake.FakeServer;
import io.fairlead.specs.Specification;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs the files of the Connection Monitoring And Pooling specification, those of style {@code
 * integration} against a fake server with the same fail points. Whether a clear interrupted
 * connections in use is nothing that the public event shows, so it is not compared, and neither are
 * the words of errors.
 */
class PoolSpecificationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int ANYTHING = 42;

  @TestFactory
  Stream<DynamicNode> keeps_and_lends_connections_as_specified() {
    return Specification.named("connection-monitoring-and-pooling")
        .eachFileIn(
            "cmap-format",
            file -> {
              try (Run run = new Run(file)) {
                run.toEnd();
              }
            });
  }

  private static final class Run implements AutoCloseable {
    private final BsonDocument file;
    private final FakeServer server = FakeServer.standalone();
    private final EventQueue queue = new EventQueue();
    private final ConnectionPool pool;
    private final RecordedPoolEvents recorded = new RecordedPoolEvents();
    private final Map<String, PooledConnection> labelled = new ConcurrentHashMap<>();
    private final Map<String, ExecutorService> threads = new HashMap<>();
    private final Map<String, CompletableFuture<Void>> work = new HashMap<>();
    private final AtomicLong operations = new AtomicLong();

    Run(BsonDocument file) {
      Specification.onlyKnown(
          file,
          "version",
          "style",
          "description",
          "runOn",
          "failPoint",
          "poolOptions",
          "operations",
          "error",
          "events",
          "ignore");
      this.file = file;
      BsonDocument options = file.getDocument("poolOptions", new BsonDocument());
      String application = options.getString("appName", new BsonString("none")).getValue();
      Connector connector =
          new Connector(
              server.address(),
              new ClusterId(),
              new Handshake(new ClientMetadata(application), List.of(), null),
              PATIENCE,
              new AtomicLong());
      this.pool =
          new ConnectionPool(
              connector,
              settings(options),
              new PoolEvents(queue, List.of(recorded), connector.serverId()),
              (cause, generation) -> clear(generation + 1, false, cause),
              System::nanoTime);
    }

    private static ConnectionPoolSettings settings(BsonDocument options) {
      ConnectionPoolSettings.Builder settings =
          ConnectionPoolSettings.builder().maxWaitTime(-1, TimeUnit.MILLISECONDS);
      options.forEach(
          (name, value) -> {
            switch (name) {
              case "appName" -> {}
              case "maxPoolSize" -> settings.maxSize(number(value));
              case "minPoolSize" -> settings.minSize(number(value));
              case "maxConnecting" -> settings.maxConnecting(number(value));
              case "maxIdleTimeMS" ->
                  settings.maxConnectionIdleTime(number(value), TimeUnit.MILLISECONDS);
              case "waitQueueTimeoutMS" ->
                  settings.maxWaitTime(number(value), TimeUnit.MILLISECONDS);
              case "backgroundThreadIntervalMS" -> {
                if (number(value) < 0) {
                  settings.maintenanceInitialDelay(1, TimeUnit.HOURS);
                } else {
                  settings.maintenanceFrequency(number(value), TimeUnit.MILLISECONDS);
                }
              }
              default -> throw new AssertionError("the runner does not know poolOptions." + name);
            }
          });
      return settings.build();
    }

    private static int number(BsonValue value) {
      return value.asNumber().intValue();
    }

    void toEnd() throws Exception {
      if (file.get("failPoint") instanceof BsonDocument failPoint) {
        server.configureFailPoint(failPoint);
      }
      pool.start();
      Throwable failure = null;
      try {
        for (BsonValue operation : file.getArray("operations")) {
          onItsThread(operation.asDocument());
        }
      } catch (CheckOutException refused) {
        failure = refused;
      } catch (ExecutionException ofThread) {
        failure = ofThread.getCause();
      }
      requireError(failure);
      requireEvents();
      work.values().forEach(Run::requireUnderstood);
    }

    /** Whether the runner knew what a thread was to do, also where no operation waits for it. */
    private static void requireUnderstood(CompletableFuture<Void> done) {
      if (done.isCompletedExceptionally()
          && done.exceptionNow() instanceof AssertionError unknown) {
        throw unknown;
      }
    }

    private void onItsThread(BsonDocument operation) throws Exception {
      if (!(operation.get("thread") instanceof BsonString name)) {
        perform(operation);
        return;
      }
      CompletableFuture<Void> before = work.get(name.getValue());
      CompletableFuture<Void> done = new CompletableFuture<>();
      work.put(name.getValue(), done);
      requireNonNull(threads.get(name.getValue()))
          .execute(
              () -> {
                try {
                  if (before != null) {
                    before.join();
                  }
                  perform(operation);
                  done.complete(null);
                } catch (Throwable failure) { // the runner's own errors, too: nobody else sees them
                  done.completeExceptionally(failure);
                }
              });
    }

    private void perform(BsonDocument operation) throws Exception {
      Specification.onlyKnown(
          operation,
          "name",
          "thread",
          "target",
          "ms",
          "event",
          "count",
          "timeout",
          "label",
          "connection",
          "interruptInUseConnections");
      switch (operation.getString("name").getValue()) {
        case "start" ->
            threads.put(
                operation.getString("target").getValue(),
                Executors.newSingleThreadExecutor(Thread.ofVirtual().factory()));
        case "wait" -> {
          boolean early =
              new CountDownLatch(1)
                  .await(operation.getNumber("ms").intValue(), TimeUnit.MILLISECONDS);
          assertThat(early).isFalse();
        }
        case "waitForThread" ->
            requireNonNull(work.get(operation.getString("target").getValue()))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        case "waitForEvent" ->
            recorded.await(
                operation.getString("event").getValue(),
                operation.getNumber("count").intValue(),
                Duration.ofMillis(
                    operation
                        .getNumber("timeout", new BsonInt32((int) PATIENCE.toMillis()))
                        .longValue()));
        case "checkOut" -> {
          PooledConnection lent = pool.checkOut(operations.incrementAndGet(), Long.MAX_VALUE);
          if (operation.get("label") instanceof BsonString label) {
            labelled.put(label.getValue(), lent);
          }
        }
        case "checkIn" ->
            pool.checkIn(
                requireNonNull(labelled.remove(operation.getString("connection").getValue())),
                operations.incrementAndGet());
        case "clear" ->
            clear(
                pool.generation() + 1,
                operation.getBoolean("interruptInUseConnections", BsonBoolean.FALSE).getValue(),
                new IOException("the file says so"));
        case "close" -> pool.close();
        case "ready" -> ready();
        default -> throw new AssertionError("the runner does not know " + operation.toJson());
      }
    }

    private void clear(long generation, boolean interruptInUse, Throwable because) {
      pool.clear(generation, interruptInUse, because).run();
      queue.deliver();
    }

    private void ready() {
      pool.ready();
      queue.deliver();
    }

    private void requireError(@Nullable Throwable failure) {
      if (!(file.get("error") instanceof BsonDocument wanted)) {
        assertThat(failure).isNull();
        return;
      }
      Specification.onlyKnown(wanted, "type", "message", "address");
      assertThat(failure)
          .isInstanceOf(
              switch (wanted.getString("type").getValue()) {
                case "PoolClosedError" -> CheckOutException.PoolClosed.class;
                case "PoolClearedError" -> CheckOutException.PoolCleared.class;
                case "WaitQueueTimeoutError" -> CheckOutException.TimedOut.class;
                default -> throw new AssertionError("the runner does not know " + wanted.toJson());
              });
    }

    private void requireEvents() throws InterruptedException {
      Set<String> ignored = new HashSet<>();
      for (BsonValue type : file.getArray("ignore", new BsonArray())) {
        ignored.add(type.asString().getValue());
      }
      BsonArray expected = file.getArray("events");
      // Another thread may be at delivering them still: events have one deliverer at a time.
      Map<String, Integer> counts = new HashMap<>();
      for (BsonValue event : expected) {
        counts.merge(event.asDocument().getString("type").getValue(), 1, Integer::sum);
      }
      for (Map.Entry<String, Integer> type : counts.entrySet()) {
        recorded.await(type.getKey(), type.getValue(), PATIENCE);
      }
      List<BsonDocument> actual = new ArrayList<>(recorded.all());
      actual.removeIf(event -> ignored.contains(event.getString("type").getValue()));
      assertThat(actual).as("events %s", actual).hasSizeGreaterThanOrEqualTo(expected.size());
      for (int i = 0; i < expected.size(); i++) {
        requireMatch(expected.get(i).asDocument(), actual.get(i), "event " + i + " of " + actual);
      }
    }

    private static void requireMatch(BsonDocument expected, BsonDocument actual, String what) {
      Specification.onlyKnown(
          expected,
          "type",
          "address",
          "connectionId",
          "duration",
          "options",
          "reason",
          "interruptInUseConnections");
      expected.forEach(
          (field, wanted) -> {
            if (field.equals("interruptInUseConnections")) {
              return;
            }
            BsonValue found = requireNonNull(actual.get(field), () -> field + " of " + what);
            if (wanted instanceof BsonDocument fields) {
              fields.forEach(
                  (name, value) ->
                      assertThat(found.asDocument().get(name)).as(name).isEqualTo(value));
            } else if (!isAnything(wanted)) {
              assertThat(found).as("%s of %s", field, what).isEqualTo(wanted);
            }
          });
    }

    private static boolean isAnything(BsonValue wanted) {
      return wanted instanceof BsonNumber number
          ? number.intValue() == ANYTHING
          : wanted.equals(new BsonString(Integer.toString(ANYTHING)));
    }

    @Override
    public void close() {
      pool.close();
      threads.values().forEach(ExecutorService::shutdownNow);
      server.close();
    }
  }
}
