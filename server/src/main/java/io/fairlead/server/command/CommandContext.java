// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.replication.OpenTransaction;
import io.fairlead.server.replication.ReadConcern;
import io.fairlead.server.replication.ReadView;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.replication.WriteOrigin;
import io.fairlead.server.replication.Written;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.wire.failpoint.TransactionalWriteEffect;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One command on its way: what came, from whom, and what it may use. Belongs to its connection's
 * thread.
 */
public final class CommandContext {
  private final ServerParts server;
  private final CommandSpec spec;
  private final Message message;
  private final BsonDocument body;
  private final GenericArguments generic;
  private final ClientState client;
  private final Operation operation;
  private @Nullable OpTime lastWrite;
  private boolean triedToWrite;
  private boolean changedSomething;
  private @Nullable BsonDocument next;
  private @Nullable OpenTransaction transaction;
  private boolean transactionFailed;
  private @Nullable BsonTimestamp readTime;

  CommandContext(
      ServerParts server,
      CommandSpec spec,
      Message message,
      BsonDocument body,
      GenericArguments generic,
      ClientState client,
      Operation operation) {
    this.server = server;
    this.spec = spec;
    this.message = message;
    this.body = body;
    this.generic = generic;
    this.client = client;
    this.operation = operation;
  }

  public ServerParts server() {
    return server;
  }

  public ReplicationCoordinator coordinator() {
    return server.coordinator();
  }

  public CommandSpec spec() {
    return spec;
  }

  /** The command without its document sequences; nested documents are bytes. */
  public BsonDocument body() {
    return body;
  }

  public GenericArguments generic() {
    return generic;
  }

  public ClientState client() {
    return client;
  }

  public Operation operation() {
    return operation;
  }

  public String database() {
    return generic.database();
  }

  /** The value of the command's own field, such as the collection's name of {@code find}. */
  public BsonValue subject() {
    BsonValue value = body.get(body.getFirstKey());
    if (value == null) {
      throw new IllegalStateException("a command has a first field");
    }
    return value;
  }

  /**
   * The collection that the command's own field names.
   *
   * @throws io.fairlead.engine.error.EngineException 73 when it names none
   */
  public Namespace namespace() {
    return namespace(body.getFirstKey(), subject());
  }

  /** The collection of this command's database that a field names, checked. */
  public Namespace namespace(String field, BsonValue value) {
    if (!value.isString()) {
      throw Failures.of(73, "collection name has invalid type " + BsonTypes.name(value));
    }
    String name = value.asString().getValue();
    if (name.isEmpty() || name.indexOf('\0') >= 0 || name.startsWith(".")) {
      throw Failures.of(73, "Invalid namespace specified '" + database() + "." + name + "'");
    }
    return Namespace.of(database(), name);
  }

  public @Nullable BsonValue get(String field) {
    return body.get(field);
  }

  /**
   * The documents of an array field, whether they came in the body or as a document sequence; null
   * when absent.
   */
  public @Nullable List<BsonDocument> documents(String field) {
    for (DocumentSequence sequence : message.sequences()) {
      if (sequence.identifier().equals(field)) {
        return List.copyOf(sequence.documents());
      }
    }
    BsonValue value = body.get(field);
    return value == null ? null : Arguments.documents(spec.name() + "." + field, value);
  }

  /** As {@link #documents}, for a field that must be there. */
  public List<BsonDocument> requiredDocuments(String field) {
    List<BsonDocument> documents = documents(field);
    if (documents == null) {
      throw Failures.missing(spec.name() + "." + field);
    }
    return documents;
  }

  /** The state of the data that this command's read concern lets it see; waits where it must. */
  public Snapshot readSnapshot() throws InterruptedException {
    OpenTransaction within = transaction;
    if (within != null) {
      return within.snapshot();
    }
    ReadView view =
        coordinator().readView(ReadConcern.parse(generic.readConcern()), operation.remaining());
    readTime = view.atClusterTime();
    return view.state();
  }

  /**
   * The time of the state that a read of level {@code snapshot} was given, which the reply tells;
   * null for other reads.
   */
  public @Nullable BsonTimestamp readTime() {
    return readTime;
  }

  /** What the evaluation of this command's expressions shares; {@code interrupt} stops it. */
  public OperationContext evaluation(OperationContext.Interrupt interrupt) {
    BsonTimestamp clusterTime = coordinator().clusterTime();
    return server
        .engine()
        .operation()
        .withInterrupt(interrupt)
        .withClusterTime(clusterTime.getValue() == 0 ? null : clusterTime);
  }

  /** As {@link #evaluation(OperationContext.Interrupt)}, stopped with this command. */
  public OperationContext evaluation() {
    return evaluation(operation);
  }

  /** Writes in one commit; the reply then waits for the write concern. */
  public <T> T write(Function<WriteTransaction, T> body) {
    return write(origin(), body);
  }

  /** Writes in one commit on behalf of that origin; the reply then waits for the write concern. */
  public <T> T write(WriteOrigin origin, Function<WriteTransaction, T> body) {
    OpenTransaction within = transaction;
    if (within != null) {
      return body.apply(within.writes(origin));
    }
    triedToWrite = true;
    TransactionalWriteEffect effect =
        origin.session() == null
            ? TransactionalWriteEffect.NONE
            : server.failPoints().onTransactionalWrite();
    effect.closeBeforeCommit();
    Integer failure = effect.failBeforeCommit();
    if (failure != null) {
      throw Failures.of(
          failure, "failing the write before its commit, as onPrimaryTransactionalWrite asks");
    }
    Written<T> written = coordinator().write(origin, body);
    wrote(written.opTime());
    changedSomething = true;
    effect.closeAfterCommit();
    return written.value();
  }

  /** The origin of writes that are not statements of a retryable write. */
  public WriteOrigin origin() {
    return WriteOrigin.PLAIN.withOperation(evaluation());
  }

  /** Notes where in the log the command's effect is, for the wait for its write concern. */
  public void wrote(OpTime opTime) {
    OpTime before = lastWrite;
    lastWrite = before == null || opTime.isAtLeast(before) ? opTime : before;
  }

  /** From now on the command reads and writes in this transaction. */
  public void enter(OpenTransaction within) {
    transaction = within;
  }

  /** Whether the command is a statement of a multi-document transaction. */
  public boolean inTransaction() {
    return generic.transaction() != null;
  }

  /** Whether the command is a retryable write of its own, and no statement of a transaction. */
  public boolean isRetryableWrite() {
    return generic.txnNumber() != null && !inTransaction();
  }

  /** Notes that the command answers with a failure that ends its transaction. */
  public void failTransaction() {
    transactionFailed = true;
  }

  /** Whether the transaction has to end because of what the command answers. */
  public boolean hasFailedTransaction() {
    return transactionFailed;
  }

  /** Where the last of its writes is in the log; null while it has written nothing. */
  @Nullable OpTime lastWrite() {
    return lastWrite;
  }

  boolean triedToWrite() {
    return triedToWrite;
  }

  boolean changedSomething() {
    return changedSomething;
  }

  /** Whether the client accepts several replies to this request. */
  public boolean exhaustAllowed() {
    return message.exhaustAllowed();
  }

  /**
   * After this reply, goes on with another command of the same name without waiting for a request.
   */
  public void streamOn(BsonDocument nextCommand) {
    if (message.exhaustAllowed()) {
      next = nextCommand;
    }
  }

  @Nullable BsonDocument nextCommand() {
    return next;
  }
}
