// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.server.replication.ReadConcern;
import io.fairlead.server.replication.WriteConcern;
import io.fairlead.server.replication.WriteConcernResult;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.sharding.ShardVersions;
import io.fairlead.wire.failpoint.CommandFacts;
import io.fairlead.wire.failpoint.Effect;
import io.fairlead.wire.listener.CloseConnectionException;
import io.fairlead.wire.message.Message;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one command after another: finds it, checks what may be checked before it runs, runs it,
 * waits for its write concern and completes its reply. Serves all connections at once.
 */
public final class Dispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final ServerParts server;
  private final Replier replier;

  public Dispatcher(ServerParts server) {
    this.server = server;
    this.replier = new Replier(server);
  }

  /** A reply, and the command to go on with where the client asked for a stream of replies. */
  record Answer(BsonDocument reply, @Nullable BsonDocument next) {}

  /**
   * Answers a command; whatever is wrong with it becomes an error reply.
   *
   * @throws CloseConnectionException where a fail point asks for it
   */
  Answer answer(Message message, ClientState client) throws InterruptedException {
    Progress progress = new Progress();
    try {
      return run(message, client, progress);
    } catch (EngineException failure) {
      server.counters().userAssertions.increment();
      return new Answer(replier.error(failure, progress), null);
    } catch (CloseConnectionException close) {
      throw close;
    } catch (RuntimeException | StackOverflowError broken) {
      server.counters().internalErrors.increment();
      LOG.error(
          "[{}|{}] command failed unexpectedly", server.address(), client.threadName(), broken);
      EngineException failure = Failures.of(1, "internal error: " + broken);
      return new Answer(replier.error(failure, progress), null);
    }
  }

  private Answer run(Message message, ClientState client, Progress progress)
      throws InterruptedException {
    BsonDocument body = ShallowDocument.of(message.body());
    if (body.isEmpty()) {
      throw Failures.of(9, "a command must not be empty");
    }
    String called = body.getFirstKey();
    CommandSpec spec = server.table().find(called);
    requireAllowedKind(message, called, spec);
    GenericArguments generic = GenericArguments.parse(body);
    progress.generic = generic;
    progress.client = client;
    if (spec == null) {
      throw Failures.of(59, "no such command: '" + called + "'");
    }
    NullArguments.leaveOut(spec, body);
    Operation operation =
        server
            .operations()
            .begin(spec, namespace(generic, body), body, client, limit(spec, generic));
    try {
      CommandContext context =
          new CommandContext(server, spec, message, body, generic, client, operation);
      progress.context = context;
      return new Answer(runChecked(context, progress), context.nextCommand());
    } catch (InterruptedException interrupted) {
      throw operation.killedOr(interrupted);
    } catch (EngineException failure) {
      throw operation.killedOr(failure);
    } finally {
      server.operations().end(operation);
    }
  }

  private BsonDocument runChecked(CommandContext context, Progress progress)
      throws InterruptedException {
    CommandChecks.requireAcceptable(context);
    note(context.generic());
    Effect effect = failPoint(context);
    progress.labels = effect.errorLabels();
    perform(effect, context);
    CommandChecks.requireRightMember(context);
    ShardVersions.requireKnown(context);
    server.counters().count(context.spec().name());
    BsonDocument reply = runWithWriteConcern(context, progress);
    if (effect.outcome() instanceof Effect.AddWriteConcernError added) {
      reply.put("writeConcernError", added.writeConcernError());
    }
    return replier.complete(reply, progress);
  }

  /**
   * Waits for the write concern of a command that failed half-way, too: what it wrote may be what a
   * retry relies on.
   */
  private BsonDocument runWithWriteConcern(CommandContext context, Progress progress)
      throws InterruptedException {
    WriteConcern writeConcern = writeConcern(context);
    BsonDocument reply;
    try {
      awaitCausality(context);
      reply = runBody(context);
    } catch (EngineException failure) {
      awaitWriteConcern(context, writeConcern, progress);
      throw failure;
    }
    WriteConcernResult.Failed failed = awaitWriteConcern(context, writeConcern, progress);
    if (failed != null) {
      reply.put("writeConcernError", failed.toDocument());
    }
    return reply;
  }

  private BsonDocument runBody(CommandContext context) throws InterruptedException {
    if (context.inTransaction()) {
      return server.transactions().run(context);
    }
    if (context.generic().txnNumber() != null) {
      server.transactions().goOn(context);
    }
    return context.spec().body().run(context);
  }

  /**
   * A write of a causally consistent session waits until this member has reached the time that the
   * session has seen.
   */
  private static void awaitCausality(CommandContext context) throws InterruptedException {
    if (context.spec().placement() == Placement.PRIMARY_ONLY
        && !context.inTransaction()
        && context.generic().readConcern() != null) {
      ReadConcern concern = ReadConcern.parse(context.generic().readConcern());
      if (concern.afterClusterTime() != null) {
        context.coordinator().readSnapshot(concern, context.operation().remaining());
      }
    }
  }

  private WriteConcern writeConcern(CommandContext context) {
    WriteConcern implicit =
        context.coordinator().isReplicaSetMember() ? WriteConcern.MAJORITY : WriteConcern.ONE;
    return WriteConcern.parse(context.generic().writeConcern(), implicit);
  }

  private WriteConcernResult.@Nullable Failed awaitWriteConcern(
      CommandContext context, WriteConcern writeConcern, Progress progress)
      throws InterruptedException {
    OpTime written = context.lastWrite();
    if (written == null || !writeConcern.acknowledged()) {
      return null;
    }
    WriteConcernResult result =
        context
            .coordinator()
            .awaitWriteConcern(written, writeConcern, context.operation().remaining());
    return switch (result) {
      case WriteConcernResult.Satisfied satisfied -> null;
      case WriteConcernResult.Failed failed -> {
        progress.writeConcernLabels = failed.labels();
        yield failed;
      }
    };
  }

  private void note(GenericArguments generic) {
    if (generic.sessionId() != null) {
      server.sessions().use(generic.sessionId());
    }
    if (generic.clusterTime() != null) {
      server.coordinator().advanceClusterTime(generic.clusterTime());
    }
  }

  private Effect failPoint(CommandContext context) {
    return server
        .failPoints()
        .onCommand(
            new CommandFacts(
                context.spec().name(),
                context.operation().namespace(),
                context.client().applicationName(),
                context.client().threadName(),
                context.client().isInternal()));
  }

  private static void perform(Effect effect, CommandContext context) throws InterruptedException {
    if (!effect.block().isZero()) {
      context.operation().sleep(effect.block());
    }
    switch (effect.outcome()) {
      case Effect.CloseConnection close ->
          throw new CloseConnectionException(
              "failCommand closes the connection of " + context.spec().name());
      case Effect.Fail fail ->
          throw new EngineException(fail.code(), fail.message(), Set.of(), fail.extraInfo(), null);
      case Effect.Proceed proceed -> {}
      case Effect.AddWriteConcernError later -> {}
    }
  }

  private static void requireAllowedKind(
      Message message, String called, @Nullable CommandSpec spec) {
    if (message.kind() == Message.Kind.LEGACY_QUERY && (spec == null || !isHandshake(spec))) {
      throw Failures.of(
          352,
          "Unsupported OP_QUERY command: "
              + called
              + ". The client driver may require an upgrade.");
    }
  }

  private static boolean isHandshake(CommandSpec spec) {
    return spec.name().equals("hello") || spec.name().equals("isMaster");
  }

  /** {@code maxTimeMS} of a getMore bounds its wait for data and not the operation. */
  private static java.time.@Nullable Duration limit(CommandSpec spec, GenericArguments generic) {
    return spec.name().equals("getMore") ? null : generic.timeLimit();
  }

  private static String namespace(GenericArguments generic, BsonDocument body) {
    BsonValue subject = body.get(body.getFirstKey());
    if (subject != null && subject.isString()) {
      return generic.database() + "." + subject.asString().getValue();
    }
    BsonValue collection = body.get("collection");
    return collection != null && collection.isString()
        ? generic.database() + "." + collection.asString().getValue()
        : generic.database();
  }

  /** What is known of a command so far, for the reply to its failure. */
  static final class Progress {
    @Nullable GenericArguments generic;
    @Nullable ClientState client;
    @Nullable CommandContext context;
    @Nullable List<String> labels;
    Set<String> writeConcernLabels = Set.of();
  }
}
