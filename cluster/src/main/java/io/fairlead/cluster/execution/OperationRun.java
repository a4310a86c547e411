// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import static java.util.Objects.requireNonNull;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoTimeoutException;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.deployment.Server;
import io.fairlead.cluster.event.CommandEvents;
import io.fairlead.cluster.pool.CheckOutException;
import io.fairlead.cluster.pool.PooledConnection;
import io.fairlead.cluster.session.Session;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.RoundTripTime;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.discovery.TopologyEvent;
import io.fairlead.topology.health.OperationTicket;
import io.fairlead.topology.health.Outcome;
import io.fairlead.topology.readpreference.EffectiveReadPreference;
import io.fairlead.topology.retry.Failure;
import io.fairlead.topology.retry.FaultKind;
import io.fairlead.topology.retry.RetryDecision;
import io.fairlead.topology.retry.RetryPolicy;
import io.fairlead.topology.retry.RetryState;
import io.fairlead.topology.retry.Retryability;
import io.fairlead.topology.selection.Selection;
import io.fairlead.topology.selection.SelectionRequest;
import io.fairlead.topology.selection.ServerSelector;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One operation on its way: its attempts, and what they have in common. Used once, by one thread.
 *
 * <p>Retryable reads, retryable writes, overload backoff and the operation's own timeout are one
 * loop. The connection of a failed attempt is back in its pool before another is selected, so that
 * a pool of one cannot block its own retry.
 */
final class OperationRun {
  private static final Logger LOG = LoggerFactory.getLogger(OperationRun.class);
  private static final RawBsonDocument SENT =
      new RawBsonDocument(new BsonDocument("ok", new BsonInt32(1)), new BsonDocumentCodec());

  private final OperationRunner runner;
  private final Operation operation;
  private final long id;
  private final Deadline deadline;

  private @Nullable Session session;
  private boolean sessionIsOwn;
  private @Nullable BsonInt64 transactionNumber;
  private @Nullable List<DocumentSequence> sequences;
  private RetryState state = RetryState.FRESH;
  private boolean mustGoElsewhere;
  private @Nullable Failed remembered;

  /** How one attempt ended. */
  private sealed interface Ended {}

  private record Succeeded(CommandResult result) implements Ended {}

  private record Failed(
      Judgement judgement,
      ServerDescription server,
      TopologyType topology,
      int wireVersion,
      Retryability retryability)
      implements Ended {
    MongoException exception() {
      return judgement.exception();
    }
  }

  /** No other attempt can be made: the failure before tells the caller more than that. */
  private record Over(Failed before) implements Ended {}

  /** A server that was chosen, and everything that follows from the topology it was chosen from. */
  private record Choice(
      Server server,
      ServerDescription description,
      TopologyType topology,
      EffectiveReadPreference preference,
      OperationTicket ticket) {}

  OperationRun(OperationRunner runner, Operation operation, long id) {
    this.runner = runner;
    this.operation = operation;
    this.id = id;
    Duration own = operation.timeout();
    this.deadline = Deadline.in(own == null ? runner.settings.timeout() : own, runner.nanoTime);
    this.session = operation.session();
  }

  CommandResult toEnd() {
    try {
      while (true) {
        switch (attempt()) {
          case Succeeded succeeded -> {
            return succeeded.result();
          }
          case Over over -> {
            return raise(over.before());
          }
          case Failed failed -> {
            CommandResult last = afterFailure(failed);
            if (last != null) {
              return last;
            }
          }
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new MongoInterruptedException("interrupted during " + operation, stopped);
    } finally {
      Session mine = session;
      if (sessionIsOwn && mine != null) {
        mine.close();
      }
    }
  }

  /**
   * Prepares another attempt, or ends.
   *
   * @return the reply to end with, where a write went well but for its write concern; null: another
   *     attempt
   */
  private @Nullable CommandResult afterFailure(Failed failed) throws InterruptedException {
    Failure failure = failed.judgement().failure();
    if (failure == null) {
      return raise(failed);
    }
    // what says that no write was made tells less than an earlier failure that does not
    if (remembered == null || !failure.has(Failure.NO_WRITES_PERFORMED)) {
      remembered = failed;
    }
    RetryDecision decision =
        runner
            .routing()
            .retries()
            .decide(
                state,
                new RetryPolicy.Attempt(
                    failed.server().address(),
                    failure,
                    failed.retryability(),
                    failed.topology(),
                    failed.wireVersion(),
                    deadline.isLimited()),
                this::isFreshServerLeft,
                runner.random);
    return switch (decision) {
      case RetryDecision.Retry retry -> {
        if (retry.backoff().toNanos() >= deadline.leftNanos()) {
          yield raise(requireNonNull(remembered, "remembered"));
        }
        LOG.debug(
            "{} (operation {}): attempt {} follows, because {}",
            operation,
            id,
            retry.next().retries() + 1,
            retry.because());
        state = retry.next();
        mustGoElsewhere = retry.mustGoElsewhere();
        pause(retry.backoff());
        yield null;
      }
      case RetryDecision.GiveUp end -> {
        LOG.debug("{} (operation {}): not tried again: {}", operation, id, end.because());
        yield raise(requireNonNull(remembered, "remembered"));
      }
    };
  }

  private static CommandResult raise(Failed raised) {
    RawBsonDocument reply = raised.judgement().reply();
    if (reply != null) {
      return new CommandResult(reply, raised.server().address(), raised.server());
    }
    throw raised.exception();
  }

  private boolean isFreshServerLeft(Set<HostAddress> tried) {
    TopologyDescription topology = runner.deployment.description();
    EffectiveReadPreference preference = EffectiveReadPreference.of(operation.readWish(), topology);
    return operation.pinnedTo() == null
        && ServerSelector.hasSuitableOutside(
            topology, request(preference, Set.of(), Set.of()), tried);
  }

  private static void pause(Duration backoff) throws InterruptedException {
    if (backoff.isPositive()) {
      TimeUnit.NANOSECONDS.sleep(backoff.toNanos());
    }
  }

  private Ended attempt() throws InterruptedException {
    Choice choice;
    try {
      choice = choose();
    } catch (MongoException nobody) {
      Failed before = remembered;
      if (before != null && !(nobody instanceof MongoOperationTimeoutException)) {
        return new Over(before);
      }
      throw nobody;
    }
    Server server = choice.server();
    boolean retry = state.retries() > 0;
    server.begun(retry);
    Outcome outcome = Outcome.ABANDONED;
    boolean well = false;
    try {
      Ended ended = attemptAt(choice);
      well = ended instanceof Succeeded;
      outcome = outcomeOf(ended);
      return ended;
    } finally {
      server.ended(well);
      runner.health.end(choice.ticket(), outcome);
    }
  }

  private static Outcome outcomeOf(Ended ended) {
    return switch (ended) {
      case Succeeded ignored -> Outcome.GOOD;
      case Over ignored -> Outcome.ABANDONED;
      case Failed failed -> {
        Failure failure = failed.judgement().failure();
        if (failure == null) {
          yield Outcome.ABANDONED;
        }
        FaultKind kind = FaultKind.of(failure, failed.topology());
        long generation =
            failed.judgement().event() instanceof TopologyEvent.NetworkError error
                    && !error.timedOut()
                ? error.generation()
                : Outcome.Failed.NO_GENERATION;
        yield new Outcome.Failed(kind, generation);
      }
    };
  }

  private Ended attemptAt(Choice choice) throws InterruptedException {
    PooledConnection connection;
    try {
      connection = choice.server().pool().checkOut(id, deadline.atNanos());
    } catch (CheckOutException none) {
      return failed(choice, new Trouble.NoConnection(none), 0, operation.retry());
    }
    try {
      return runOn(choice, connection);
    } finally {
      choice.server().pool().checkIn(connection, id);
    }
  }

  private Ended runOn(Choice choice, PooledConnection pooled) {
    Connection connection = pooled.connection();
    Session used = sessionOn(connection);
    Retryability retryability = retryabilityOn(connection, used);
    Message message = messageFor(choice, connection, used, retryability);
    CommandEvents.@Nullable Telling telling = tellStart(message, connection);
    long begin = runner.nanoTime.getAsLong();
    @Nullable Trouble trouble;
    RawBsonDocument reply = SENT;
    boolean sending = true;
    try {
      connection.send(message);
      sending = false;
      if (operation.acknowledged()) {
        reply = connection.receiveReply(message.requestId(), replyLimit());
      }
      ReplyHead head = ReplyHead.of(reply);
      learn(head, used);
      trouble = troubleIn(head, reply, pooled);
    } catch (IOException failure) {
      trouble =
          sending ? new Trouble.NotSent(pooled, failure) : new Trouble.NotAnswered(pooled, failure);
      if (used != null) {
        used.markDirty();
      }
    }
    long elapsed = runner.nanoTime.getAsLong() - begin;
    if (trouble == null) {
      if (telling != null) {
        telling.succeeded(reply, elapsed);
      }
      return new Succeeded(
          new CommandResult(reply, choice.description().address(), choice.description()));
    }
    Failed failed =
        failed(choice, trouble, connection.description().getMaxWireVersion(), retryability);
    if (telling != null) {
      if (trouble instanceof Trouble.WriteConcernReply) {
        telling.succeeded(reply, elapsed);
      } else {
        telling.failed(failed.exception(), elapsed);
      }
    }
    return failed;
  }

  private @Nullable Trouble troubleIn(
      ReplyHead head, RawBsonDocument reply, PooledConnection connection) {
    if (!head.ok()) {
      return new Trouble.ErrorReply(connection, reply);
    }
    return head.hasWriteConcernError() && operation.kind().needsWritable()
        ? new Trouble.WriteConcernReply(connection, reply)
        : null;
  }

  /** Judges, tells the topology, and closes the connection where its stream may be out of step. */
  private Failed failed(
      Choice choice, Trouble trouble, int wireVersion, Retryability retryability) {
    Judgement judgement =
        new FailureJudge(choice.description().address(), choice.server().id())
            .judge(trouble, deadline);
    if (judgement.connection() == Judgement.Fate.DISCARD) {
      switch (trouble) {
        case Trouble.NotSent failed -> failed.connection().connection().close();
        case Trouble.NotAnswered failed -> failed.connection().connection().close();
        case Trouble.NoConnection ignored -> {}
        case Trouble.ErrorReply ignored -> {}
        case Trouble.WriteConcernReply ignored -> {}
      }
    }
    TopologyEvent event = judgement.event();
    if (event != null) {
      runner.deployment.heard(event);
    }
    boolean networkFailure =
        judgement.failure() instanceof Failure.Network
            || judgement.failure() instanceof Failure.ReplyTimeout;
    if (networkFailure
        && retryability == Retryability.WRITE
        && runner.settings.client().getRetryWrites()) {
      judgement.exception().addLabel(Failure.RETRYABLE_WRITE);
    }
    return new Failed(
        judgement, choice.description(), choice.topology(), wireVersion, retryability);
  }

  // What goes with the command.

  /**
   * A session is sent where the server has sessions; the operation's own is begun at the first such
   * attempt.
   */
  private @Nullable Session sessionOn(Connection connection) {
    boolean supported = connection.handshake().supportsSessions();
    Session given = operation.session();
    if (given != null && given.isExplicit()) {
      if (!supported) {
        throw new MongoClientException(
            "Sessions are not supported by the MongoDB cluster to which this client is connected");
      }
      if (!operation.acknowledged()) {
        throw new MongoClientException(
            "Unacknowledged writes are not supported when using an explicit session");
      }
    }
    boolean sends = operation.acknowledged() && !operation.commandName().equals("endSessions");
    if (!supported || !sends || operation.command().containsKey("lsid")) {
      return null;
    }
    Session mine = session;
    if (mine == null) {
      mine = runner.sessions.implicit();
      session = mine;
      sessionIsOwn = true;
    }
    mine.touch();
    return mine;
  }

  /** A write is retryable where the server can tell that it comes twice. */
  private Retryability retryabilityOn(Connection connection, @Nullable Session used) {
    if (operation.retry() != Retryability.WRITE) {
      return operation.retry();
    }
    if (operation.command().containsKey("txnNumber")) {
      return Retryability.WRITE;
    }
    boolean recognised =
        used != null
            && connection.handshake().supportsSessions()
            && connection.description().getServerType()
                != com.mongodb.connection.ServerType.STANDALONE
            && runner.settings.client().getRetryWrites();
    return recognised ? Retryability.WRITE : Retryability.WRITE_ONCE;
  }

  private Message messageFor(
      Choice choice, Connection connection, @Nullable Session used, Retryability retryability) {
    if (used != null && retryability == Retryability.WRITE && transactionNumber == null) {
      transactionNumber = new BsonInt64(used.nextTransactionNumber());
    }
    return runner.assembly.assemble(
        operation,
        sequencesFor(choice.description()),
        connection,
        new CommandAssembly.Additions(
            choice.topology(),
            choice.description().type(),
            choice.preference(),
            used,
            transactionNumber,
            maxTimeMillis(choice.description())));
  }

  private List<DocumentSequence> sequencesFor(ServerDescription server) {
    if (operation.splitter() == null) {
      return operation.sequences();
    }
    List<DocumentSequence> cut = sequences;
    if (cut == null) {
      cut = operation.splitter().sequencesFor(server);
      sequences = cut;
    }
    return cut;
  }

  /**
   * What is left for the server, the way there and back deducted; null without a deadline, and for
   * what waits on a cursor.
   */
  private @Nullable Long maxTimeMillis(ServerDescription server) {
    if (!deadline.isLimited()
        || !operation.acknowledged()
        || operation.commandName().equals("getMore")) {
      return null;
    }
    RoundTripTime ping = server.ping();
    long left = deadline.leftNanos() - (ping == null ? 0 : ping.minimum().toNanos());
    if (left < TimeUnit.MILLISECONDS.toNanos(1)) {
      throw new MongoOperationTimeoutException(
          "Operation exceeded the timeout limit: no time is left for a round trip to "
              + server.address());
    }
    return TimeUnit.NANOSECONDS.toMillis(left);
  }

  /** An operation with a deadline goes by it alone; without, by the socket's read timeout. */
  private Duration replyLimit() {
    if (deadline.isLimited()) {
      return Duration.ofNanos(Math.max(1, deadline.leftNanos()));
    }
    Duration own = operation.replyTimeout();
    return own == null ? runner.settings.readTimeout() : own;
  }

  private void learn(ReplyHead head, @Nullable Session used) {
    runner.clock.advance(head.clusterTime());
    if (used != null) {
      used.advanceClusterTime(head.clusterTime());
      used.advanceOperationTime(head.operationTime());
    }
  }

  private CommandEvents.@Nullable Telling tellStart(Message message, Connection connection) {
    if (!runner.events.areWanted()) {
      return null;
    }
    return runner.events.started(
        operation.requestContext(),
        id,
        message.requestId(),
        connection.description(),
        operation.database(),
        operation.commandName(),
        message.commandWithSequences());
  }

  // Choosing a server.

  private Choice choose() throws InterruptedException {
    if (deadline.isOver()) {
      throw new MongoOperationTimeoutException("Operation exceeded the timeout limit");
    }
    long until = deadline.earlierNanos(serverSelectionTimeout());
    Choice chosen = runner.deployment.await(this::chooseFrom, until);
    if (chosen == null) {
      throw selectionTimeout();
    }
    return chosen;
  }

  private Duration serverSelectionTimeout() {
    Duration clients = runner.settings.serverSelectionTimeout();
    Duration own = operation.selectionTimeout();
    return own != null && (clients.isNegative() || own.compareTo(clients) < 0) ? own : clients;
  }

  private @Nullable Choice chooseFrom(TopologyDescription topology) {
    EffectiveReadPreference preference = EffectiveReadPreference.of(operation.readWish(), topology);
    HostAddress pinned = operation.pinnedTo();
    if (pinned != null) {
      return choosePinned(topology, preference, pinned);
    }
    boolean mayTry = mayTry(topology);
    while (true) {
      Set<HostAddress> ejected = runner.health.avoid(mayTry);
      SelectionRequest request =
          request(preference, runner.deprioritized.apply(state.deprioritized()), ejected);
      switch (runner.chooser.choose(topology, request)) {
        case Selection.NotYet ignored -> {
          return null;
        }
        case Selection.Impossible never -> throw impossible(topology, never.why());
        case Selection.Chosen chosen -> {
          HostAddress address = chosen.server().address();
          if (mustGoElsewhere && state.tried().contains(address)) {
            throw new MongoClientException("every suitable server has been tried");
          }
          Server server = runner.deployment.server(address);
          if (server == null) {
            return null; // it left the deployment just now; the next description is on its way
          }
          var ticket =
              runner.health.begin(
                  address, operation.commandName(), mayTry, chosen.despiteEjection());
          if (ticket.isPresent()) {
            return new Choice(server, chosen.server(), topology.type(), preference, ticket.get());
          }
          // another operation has become this server's trial meanwhile: choose again without it
        }
      }
    }
  }

  private @Nullable Choice choosePinned(
      TopologyDescription topology, EffectiveReadPreference preference, HostAddress pinned) {
    ServerDescription description = topology.servers().get(pinned);
    Server server = runner.deployment.server(pinned);
    if (description == null || server == null) {
      throw new MongoClientException(
          pinned
              + " is no longer part of the deployment, and "
              + operation
              + " can run nowhere else");
    }
    if (description.type().isUnknown()) {
      return null;
    }
    OperationTicket ticket =
        runner
            .health
            .begin(pinned, operation.commandName(), false, true)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "an operation that can go nowhere else is always let through"));
    return new Choice(server, description, topology.type(), preference, ticket);
  }

  private SelectionRequest request(
      EffectiveReadPreference preference,
      Set<HostAddress> deprioritized,
      Set<HostAddress> ejected) {
    return runner.chooser.request(
        runner.routing(), preference, operation.selector(), deprioritized, ejected);
  }

  /**
   * Whether this operation may be a trial of a server that health leaves out: only what can be
   * retried elsewhere is risked.
   */
  private boolean mayTry(TopologyDescription topology) {
    return state.retries() == 0
        && topology.list().size() > 1
        && switch (operation.retry()) {
          case READ -> runner.settings.client().getRetryReads();
          case WRITE -> runner.settings.client().getRetryWrites();
          case READ_ONCE, WRITE_ONCE, COMMAND, COMMIT -> false;
        };
  }

  private MongoException impossible(TopologyDescription topology, String why) {
    return topology.isCompatible()
        ? new MongoClientException(why)
        : new MongoIncompatibleDriverException(why, runner.chooser.publicly(topology));
  }

  private MongoTimeoutException selectionTimeout() {
    TopologyDescription topology = runner.deployment.description();
    EffectiveReadPreference preference = EffectiveReadPreference.of(operation.readWish(), topology);
    String what;
    if (operation.pinnedTo() != null) {
      ServerDescription server = topology.servers().get(operation.pinnedTo());
      what =
          "no connection to "
              + (server == null ? operation.pinnedTo().toString() : server.summary());
    } else {
      Selection last = runner.chooser.choose(topology, request(preference, Set.of(), Set.of()));
      what =
          last instanceof Selection.NotYet missing
              ? missing.missing()
              : "no server was found in time";
    }
    String message =
        "Timed out while waiting for a server, after "
            + (deadline.isLimited()
                ? "the operation's own timeout"
                : serverSelectionTimeout().toMillis() + " ms")
            + ": "
            + what;
    return deadline.isOver()
        ? new MongoOperationTimeoutException(message)
        : new MongoTimeoutException(message);
  }
}
