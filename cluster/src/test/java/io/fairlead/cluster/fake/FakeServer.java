// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.fake;

import io.fairlead.topology.HostAddress;
import io.fairlead.wire.failpoint.CommandFacts;
import io.fairlead.wire.failpoint.Effect;
import io.fairlead.wire.failpoint.FailPoints;
import io.fairlead.wire.listener.ClientConnection;
import io.fairlead.wire.listener.CloseConnectionException;
import io.fairlead.wire.listener.ConnectionService;
import io.fairlead.wire.listener.InProcessListener;
import io.fairlead.wire.listener.ListenerSettings;
import io.fairlead.wire.listener.Replies;
import io.fairlead.wire.listener.WireListener;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * A server that says a hello of one's choice and answers commands as it is told. Keeps what it was
 * sent. Serves inside this JVM, or over TCP on loopback where sockets matter.
 */
public final class FakeServer implements AutoCloseable {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** Answers one command; null: never. */
  @FunctionalInterface
  public interface Behaviour {
    @Nullable BsonDocument answer(BsonDocument command) throws InterruptedException;
  }

  private final ObjectId process = new ObjectId();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<BsonDocument> received = new ConcurrentLinkedQueue<>();
  private final Set<ClientConnection> helloing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger helloingMax = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();
  private final @Nullable InProcessListener inProcess;
  private final @Nullable WireListener tcp;
  private final HostAddress address;
  private volatile long helloNanos;
  private BsonDocument hello = new BsonDocument();
  private long version;
  private boolean streaming = true;
  private boolean legacyOnly;
  private volatile @Nullable CountDownLatch frozen;
  private final FailPoints failPoints = new FailPoints(new Random(1));

  private FakeServer(boolean overTcp, String name) {
    if (overTcp) {
      tcp = WireListener.start(ListenerSettings.loopback(0), Service::new);
      inProcess = null;
      address = new HostAddress("127.0.0.1", tcp.port());
    } else {
      tcp = null;
      String host = name + NUMBERS.incrementAndGet() + ".inprocess";
      inProcess = InProcessListener.start(host, 27017, Service::new);
      address = new HostAddress(host, 27017);
    }
  }

  public static FakeServer inProcess() {
    return new FakeServer(false, "fake");
  }

  public static FakeServer overTcp() {
    return new FakeServer(true, "");
  }

  public static FakeServer mongos() {
    return inProcess().says(mongosHello());
  }

  public static FakeServer standalone() {
    return inProcess().says(standaloneHello());
  }

  public static BsonDocument mongosHello() {
    return common()
        .append("isWritablePrimary", BsonBoolean.TRUE)
        .append("msg", new BsonString("isdbgrid"));
  }

  public static BsonDocument standaloneHello() {
    return common().append("isWritablePrimary", BsonBoolean.TRUE);
  }

  /** A member of a replica set of these. */
  public static BsonDocument memberHello(
      boolean primary, @Nullable FakeServer leader, FakeServer... all) {
    BsonArray hosts = new BsonArray();
    for (FakeServer each : all) {
      hosts.add(new BsonString(each.address().toString()));
    }
    BsonDocument hello =
        common()
            .append("setName", new BsonString("rs0"))
            .append("setVersion", new BsonInt32(1))
            .append("hosts", hosts)
            .append("isWritablePrimary", BsonBoolean.valueOf(primary))
            .append("secondary", BsonBoolean.valueOf(!primary));
    if (leader != null) {
      hello.append("primary", new BsonString(leader.address().toString()));
    }
    return hello;
  }

  private static BsonDocument common() {
    return new BsonDocument("ok", new BsonDouble(1))
        .append("helloOk", BsonBoolean.TRUE)
        .append("minWireVersion", new BsonInt32(0))
        .append("maxWireVersion", new BsonInt32(25))
        .append("maxBsonObjectSize", new BsonInt32(16 * 1024 * 1024))
        .append("maxMessageSizeBytes", new BsonInt32(48_000_000))
        .append("maxWriteBatchSize", new BsonInt32(100_000))
        .append("logicalSessionTimeoutMinutes", new BsonInt32(30));
  }

  /** Says this from now on, with a new topology version; whoever awaits news is told at once. */
  public FakeServer says(BsonDocument next) {
    lock.lock();
    try {
      hello = next;
      version++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return this;
  }

  /** Gives no topology version, as servers before 4.4. */
  public FakeServer withoutStreaming() {
    streaming = false;
    return this;
  }

  /** Knows hello by its legacy name alone, and refuses the other. */
  public FakeServer legacyOnly() {
    legacyOnly = true;
    streaming = false;
    return this;
  }

  /** Needs this long for every hello that awaits nothing, from now on. */
  public void helloTakes(Duration each) {
    helloNanos = each.toNanos();
  }

  /** Answers this command so from now on. */
  public FakeServer on(String command, Behaviour behaviour) {
    behaviours.put(command, behaviour);
    return this;
  }

  /** Answers this command well from now on. */
  public FakeServer well(String command) {
    behaviours.remove(command);
    return this;
  }

  /** Answers nothing any more, hello included, as a stopped process does; until {@link #thaw}. */
  public void freeze() {
    frozen = new CountDownLatch(1);
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void thaw() {
    CountDownLatch ice = frozen;
    frozen = null;
    if (ice != null) {
      ice.countDown();
    }
  }

  /** Performs a {@code configureFailPoint}; an effect that adds to a good answer is not known. */
  public void configureFailPoint(BsonDocument command) {
    failPoints.configure(command);
  }

  public HostAddress address() {
    return address;
  }

  /** Commands received, hellos apart, in order. */
  public List<BsonDocument> received() {
    return new ArrayList<>(received);
  }

  /** How many commands of this name were received. */
  public int count(String command) {
    return (int) received.stream().filter(each -> each.getFirstKey().equals(command)).count();
  }

  public void forget() {
    received.clear();
  }

  /** Connections accepted so far. */
  public int opened() {
    return opened.get();
  }

  /** Connections open now. */
  public int open() {
    return connections().size();
  }

  /** How many connections said hello after their handshake, at most at once. */
  public int monitoringConnectionsMax() {
    return helloingMax.get();
  }

  /** How many connections that said hello after their handshake are open now. */
  public int monitoringConnections() {
    return helloing.size();
  }

  private Set<ClientConnection> connections() {
    if (tcp != null) {
      return tcp.connections();
    }
    return inProcess == null ? Set.of() : inProcess.connections();
  }

  /** Closes all connections; new ones are served. */
  public void hangUp() {
    connections().forEach(ClientConnection::close);
  }

  @Override
  public void close() {
    thaw();
    if (tcp != null) {
      tcp.close();
    }
    if (inProcess != null) {
      inProcess.close();
    }
  }

  /** An error reply. */
  public static BsonDocument error(int code, String... labels) {
    BsonDocument reply =
        new BsonDocument("ok", new BsonDouble(0))
            .append("code", new BsonInt32(code))
            .append("codeName", new BsonString("Code" + code))
            .append("errmsg", new BsonString("told to fail with " + code));
    if (labels.length > 0) {
      reply.append("errorLabels", labels(labels));
    }
    return reply;
  }

  /** A reply of a write that went well but for its write concern. */
  public static BsonDocument writeConcernError(int code, String... labels) {
    BsonDocument reply =
        ok().append(
                "writeConcernError",
                new BsonDocument("code", new BsonInt32(code))
                    .append("errmsg", new BsonString("told to")));
    if (labels.length > 0) {
      reply.append("errorLabels", labels(labels));
    }
    return reply;
  }

  public static BsonDocument ok() {
    return new BsonDocument("ok", new BsonDouble(1));
  }

  /** Fails this way so many times, then answers well. */
  public static Behaviour times(int times, Behaviour failing) {
    AtomicInteger left = new AtomicInteger(times);
    return command -> left.getAndDecrement() > 0 ? failing.answer(command) : ok();
  }

  /** Closes the connection instead of answering. */
  public static Behaviour closing() {
    return command -> {
      throw new CloseConnectionException("told to");
    };
  }

  private static BsonArray labels(String... labels) {
    BsonArray array = new BsonArray();
    for (String label : labels) {
      array.add(new BsonString(label));
    }
    return array;
  }

  /** One accepted connection. */
  private final class Service implements ConnectionService {
    private final ClientConnection connection;
    private boolean shaken;
    private @Nullable String applicationName;

    Service(ClientConnection connection) {
      this.connection = connection;
      opened.incrementAndGet();
    }

    @Override
    public @Nullable BsonDocument handle(Message request, Replies more)
        throws InterruptedException {
      stayFrozen();
      BsonDocument command = request.commandWithSequences();
      String name = command.getFirstKey();
      if (command.get("client") instanceof BsonDocument client
          && client.get("application") instanceof BsonDocument application) {
        applicationName = application.getString("name").getValue();
      }
      BsonDocument failed = underFailPoint(name, command.getString("$db").getValue());
      if (failed != null) {
        return failed;
      }
      if (name.equals("hello") || name.equalsIgnoreCase("isMaster")) {
        if (shaken) {
          helloing.add(connection);
          helloingMax.accumulateAndGet(helloing.size(), Math::max);
        }
        shaken = true;
        return name.equals("hello") && legacyOnly ? error(59) : hello(request, more);
      }
      received.add(command);
      Behaviour behaviour = behaviours.get(name);
      BsonDocument answer = behaviour == null ? ok() : behaviour.answer(command);
      stayFrozen();
      return answer;
    }

    private @Nullable BsonDocument underFailPoint(String name, String database)
        throws InterruptedException {
      Effect effect =
          failPoints.onCommand(new CommandFacts(name, database, applicationName, null, false));
      if (effect.block().isPositive()) {
        new CountDownLatch(1).await(effect.block().toNanos(), TimeUnit.NANOSECONDS);
      }
      return switch (effect.outcome()) {
        case Effect.Proceed ignored -> null;
        case Effect.Fail fail -> error(fail.code());
        case Effect.CloseConnection ignored -> throw new CloseConnectionException("told to");
        case Effect.AddWriteConcernError unknown ->
            throw new UnsupportedOperationException("a fake server does not know " + unknown);
      };
    }

    private BsonDocument hello(Message request, Replies more) throws InterruptedException {
      BsonValue seen = request.body().get("topologyVersion");
      if (seen == null) {
        LockSupport.parkNanos(helloNanos);
        return currentHello();
      }
      long counter = seen.asDocument().getNumber("counter").longValue();
      long awaitMillis = request.body().getNumber("maxAwaitTimeMS").longValue();
      while (true) {
        BsonDocument news = awaitNews(counter, awaitMillis);
        stayFrozen();
        if (!request.exhaustAllowed()) {
          return news;
        }
        counter = news.getDocument("topologyVersion").getNumber("counter").longValue();
        try {
          more.more(news);
        } catch (WireException gone) {
          throw new CloseConnectionException(String.valueOf(gone.getMessage()));
        }
      }
    }

    private BsonDocument awaitNews(long counter, long awaitMillis) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        long left = TimeUnit.MILLISECONDS.toNanos(awaitMillis);
        while (version <= counter && left > 0 && frozen == null) {
          left = changed.awaitNanos(left);
        }
      } finally {
        lock.unlock();
      }
      return currentHello();
    }

    private BsonDocument currentHello() {
      lock.lock();
      try {
        BsonDocument now = hello.clone();
        if (streaming) {
          now.append(
              "topologyVersion",
              new BsonDocument("processId", new BsonObjectId(process))
                  .append("counter", new BsonInt64(version)));
        }
        return now;
      } finally {
        lock.unlock();
      }
    }

    private void stayFrozen() throws InterruptedException {
      CountDownLatch ice = frozen;
      if (ice != null) {
        ice.await();
      }
    }

    @Override
    public void close() {
      helloing.remove(connection);
    }
  }
}
