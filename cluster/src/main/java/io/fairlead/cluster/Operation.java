// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import static java.util.Objects.requireNonNull;

import com.mongodb.RequestContext;
import io.fairlead.cluster.session.Session;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import io.fairlead.topology.selection.ApplicationSelector;
import io.fairlead.wire.message.DocumentSequence;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One command to run, immutable. {@link Cluster} adds {@code $db}, {@code lsid}, {@code txnNumber},
 * {@code $clusterTime}, {@code $readPreference}, {@code readConcern.afterClusterTime}, {@code
 * maxTimeMS} (of a {@link #timeout}) and the API version; a field that the command already carries
 * is left as it is.
 *
 * <p>Built with {@link #builder}.
 */
public final class Operation {
  private final String database;
  private final BsonDocument command;
  private final String commandName;
  private final List<DocumentSequence> sequences;
  private final @Nullable PayloadSplitter splitter;
  private final ReadWish readWish;
  private final Retryability retry;
  private final @Nullable Session session;
  private final @Nullable HostAddress pinnedTo;
  private final @Nullable Duration timeout;
  private final @Nullable Duration replyTimeout;
  private final @Nullable Duration selectionTimeout;
  private final boolean acknowledged;
  private final boolean afterClusterTime;
  private final @Nullable ApplicationSelector selector;
  private final @Nullable Long operationId;
  private final @Nullable RequestContext requestContext;

  private Operation(Builder builder) {
    this.database = builder.database;
    this.command = builder.command;
    this.commandName = builder.command.getFirstKey();
    this.sequences = builder.sequences;
    this.splitter = builder.splitter;
    this.readWish = builder.readWish;
    this.retry = builder.acknowledged ? builder.retry : Retryability.WRITE_ONCE;
    this.session = builder.session;
    this.pinnedTo = builder.pinnedTo;
    this.timeout = builder.timeout;
    this.replyTimeout = builder.replyTimeout;
    this.selectionTimeout = builder.selectionTimeout;
    this.acknowledged = builder.acknowledged;
    this.afterClusterTime = builder.afterClusterTime;
    this.selector = builder.selector;
    this.operationId = builder.operationId;
    this.requestContext = builder.requestContext;
  }

  /**
   * Starts building an operation that writes, is not retried, acknowledged, and runs on the
   * primary.
   *
   * @param database where it runs
   * @param command the command; its first field is its name
   */
  public static Builder builder(String database, BsonDocument command) {
    return new Builder(database, command);
  }

  /** The database the command runs in. */
  public String database() {
    return database;
  }

  /** The command as it was built. */
  public BsonDocument command() {
    return command;
  }

  /** The command's name: its first field. */
  public String commandName() {
    return commandName;
  }

  /** Documents that travel beside the command; empty when a {@link #splitter} decides. */
  public List<DocumentSequence> sequences() {
    return sequences;
  }

  /**
   * Cuts the documents to what the selected server takes; null when {@link #sequences} are fixed.
   */
  public @Nullable PayloadSplitter splitter() {
    return splitter;
  }

  /** What kind of operation this is, for selection. */
  public OperationKind kind() {
    return readWish.kind();
  }

  /** What was wished for reading, from which the effective read preference follows. */
  public ReadWish readWish() {
    return readWish;
  }

  /** What may be done with it when it failed. */
  public Retryability retry() {
    return retry;
  }

  /** The session it belongs to; null: a session of its own where sessions are supported. */
  public @Nullable Session session() {
    return session;
  }

  /** The one server that may run it (a cursor lives there); null: any suitable one. */
  public @Nullable HostAddress pinnedTo() {
    return pinnedTo;
  }

  /**
   * How long it may take in all, attempts and waiting included; null: the client's own, else
   * without limit.
   */
  public @Nullable Duration timeout() {
    return timeout;
  }

  /**
   * How long one wait for a server may take, where that is less than the client's server selection
   * timeout; null: that one.
   */
  public @Nullable Duration selectionTimeout() {
    return selectionTimeout;
  }

  /**
   * How long one reply may take (an awaiting getMore's own bound on top of the socket timeout);
   * null: the client's.
   */
  public @Nullable Duration replyTimeout() {
    return replyTimeout;
  }

  /** Whether a reply is expected; {@code w: 0} expects none. */
  public boolean acknowledged() {
    return acknowledged;
  }

  /**
   * Whether the command takes a {@code readConcern}, so that a causally consistent session may add
   * its time to it.
   */
  public boolean afterClusterTime() {
    return afterClusterTime;
  }

  /** The application's own selector; null: none but the client's. */
  public @Nullable ApplicationSelector selector() {
    return selector;
  }

  /** Ties several commands of one call together in command events; null: this command alone. */
  public @Nullable Long operationId() {
    return operationId;
  }

  /** What the application's context provider gave for this call; handed to command listeners. */
  public @Nullable RequestContext requestContext() {
    return requestContext;
  }

  /** A builder that begins with everything of this operation. */
  public Builder toBuilder() {
    return toBuilder(command);
  }

  /** A builder that begins with everything of this operation but its command. */
  public Builder toBuilder(BsonDocument changed) {
    Builder builder = new Builder(database, changed);
    builder.sequences = sequences;
    builder.splitter = splitter;
    builder.readWish = readWish;
    builder.retry = retry;
    builder.session = session;
    builder.pinnedTo = pinnedTo;
    builder.timeout = timeout;
    builder.selectionTimeout = selectionTimeout;
    builder.replyTimeout = replyTimeout;
    builder.acknowledged = acknowledged;
    builder.afterClusterTime = afterClusterTime;
    builder.selector = selector;
    builder.operationId = operationId;
    builder.requestContext = requestContext;
    return builder;
  }

  @Override
  public String toString() {
    return commandName + " on " + database;
  }

  /** Builds an {@link Operation}. Not for several threads. */
  public static final class Builder {
    private final String database;
    private final BsonDocument command;
    private List<DocumentSequence> sequences = List.of();
    private @Nullable PayloadSplitter splitter;
    private ReadWish readWish = ReadWish.none(OperationKind.WRITE);
    private Retryability retry = Retryability.WRITE_ONCE;
    private @Nullable Session session;
    private @Nullable HostAddress pinnedTo;
    private @Nullable Duration timeout;
    private @Nullable Duration selectionTimeout;
    private @Nullable Duration replyTimeout;
    private boolean acknowledged = true;
    private boolean afterClusterTime;
    private @Nullable ApplicationSelector selector;
    private @Nullable Long operationId;
    private @Nullable RequestContext requestContext;

    private Builder(String database, BsonDocument command) {
      this.database = requireNonNull(database, "database");
      this.command = requireNonNull(command, "command");
      if (database.isEmpty()) {
        throw new IllegalArgumentException("the database of a command has a name");
      }
      if (command.isEmpty()) {
        throw new IllegalArgumentException("a command has at least one field, its name");
      }
    }

    /** Sends these documents beside the command. */
    public Builder sequences(List<DocumentSequence> fixed) {
      this.sequences = List.copyOf(fixed);
      this.splitter = null;
      return this;
    }

    /** Sends beside the command what fits the selected server. */
    public Builder splitter(PayloadSplitter cut) {
      this.splitter = requireNonNull(cut, "cut");
      this.sequences = List.of();
      return this;
    }

    /** Says what is wished for reading, and thereby the kind of the operation. */
    public Builder readWish(ReadWish wish) {
      this.readWish = requireNonNull(wish, "wish");
      return this;
    }

    /**
     * Says what may be done with it when it failed. As a {@code WRITE} it is given a transaction
     * number where the deployment has sessions. An unacknowledged operation is never sent again.
     */
    public Builder retry(Retryability allowed) {
      this.retry = requireNonNull(allowed, "allowed");
      return this;
    }

    /** Runs it in this session; null: in one of its own. */
    public Builder session(@Nullable Session of) {
      this.session = of;
      return this;
    }

    /** Runs it on this server and no other; null: on any suitable one. */
    public Builder pinnedTo(@Nullable HostAddress server) {
      this.pinnedTo = server;
      return this;
    }

    /** Bounds it in all; null: the client's own bound. Zero means without limit. */
    public Builder timeout(@Nullable Duration inAll) {
      this.timeout = inAll;
      return this;
    }

    /** Bounds each wait for a server, where it is less than the client's; null: the client's. */
    public Builder selectionTimeout(@Nullable Duration each) {
      this.selectionTimeout = each;
      return this;
    }

    /** Bounds the wait for one reply instead of the client's socket timeout; null: that one. */
    public Builder replyTimeout(@Nullable Duration ofOneReply) {
      this.replyTimeout = ofOneReply;
      return this;
    }

    /** Whether a reply is expected. */
    public Builder acknowledged(boolean expectsReply) {
      this.acknowledged = expectsReply;
      return this;
    }

    /** Says that the command takes a {@code readConcern}. */
    public Builder afterClusterTime(boolean takesReadConcern) {
      this.afterClusterTime = takesReadConcern;
      return this;
    }

    /** Lets the application choose among the suitable servers. */
    public Builder selector(@Nullable ApplicationSelector chooser) {
      this.selector = chooser;
      return this;
    }

    /** Ties it to other commands of the same call in command events. */
    public Builder operationId(@Nullable Long shared) {
      this.operationId = shared;
      return this;
    }

    /** What the application's context provider gave for this call. */
    public Builder requestContext(@Nullable RequestContext context) {
      this.requestContext = context;
      return this;
    }

    /** The operation. */
    public Operation build() {
      return new Operation(this);
    }
  }
}
