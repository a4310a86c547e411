// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.event;

import com.mongodb.MongoCommandException;
import com.mongodb.RequestContext;
import com.mongodb.ServerAddress;
import com.mongodb.connection.ConnectionDescription;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of commands: to the application's listeners, and at debug level to the log {@code
 * io.fairlead.cluster.command}. Delivered by the thread that runs the command. What commands about
 * credentials carry is left out.
 */
public final class CommandEvents {
  private static final Logger LISTENER_LOG = LoggerFactory.getLogger(CommandEvents.class);
  private static final Logger LOG = LoggerFactory.getLogger("io.fairlead.cluster.command");
  private static final Set<String> SENSITIVE =
      Set.of(
          "authenticate",
          "saslstart",
          "saslcontinue",
          "getnonce",
          "createuser",
          "updateuser",
          "copydbgetnonce",
          "copydbsaslstart",
          "copydb");
  private static final Set<String> HELLOS = Set.of("hello", "ismaster");

  private final List<CommandListener> listeners;
  private final int loggedLengthMax;

  /**
   * @param loggedLengthMax how much of a document is logged
   */
  public CommandEvents(List<CommandListener> listeners, int loggedLengthMax) {
    this.listeners = List.copyOf(listeners);
    this.loggedLengthMax = loggedLengthMax;
  }

  /** Whether anybody wants to know: nothing has to be prepared otherwise. */
  public boolean areWanted() {
    return !listeners.isEmpty() || LOG.isDebugEnabled();
  }

  /**
   * Tells that a command is about to be sent.
   *
   * @param command whole, document sequences folded in
   * @return what tells how it ended
   */
  public Telling started(
      @Nullable RequestContext context,
      long operation,
      int requestId,
      ConnectionDescription connection,
      String database,
      String name,
      BsonDocument command) {
    boolean sensitive = isSensitive(name, command);
    Telling telling =
        new Telling(context, operation, requestId, connection, database, name, sensitive);
    BsonDocument shown = sensitive ? new BsonDocument() : command;
    if (LOG.isDebugEnabled()) {
      LOG.debug("{} of {} started: {}", name, telling, cut(shown));
    }
    tell(
        listener ->
            listener.commandStarted(
                new CommandStartedEvent(
                    context, operation, requestId, connection, database, name, shown)));
    return telling;
  }

  private void tell(Consumer<CommandListener> event) {
    for (CommandListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (RuntimeException broken) {
        LISTENER_LOG.warn("a command listener threw; the command goes on", broken);
      }
    }
  }

  private static boolean isSensitive(String name, BsonDocument command) {
    String lower = name.toLowerCase(Locale.ROOT);
    return SENSITIVE.contains(lower)
        || (HELLOS.contains(lower) && command.containsKey("speculativeAuthenticate"));
  }

  private String cut(BsonDocument document) {
    String json = document.toJson();
    return json.length() <= loggedLengthMax ? json : json.substring(0, loggedLengthMax) + "...";
  }

  /** One started command, whose end is owed. */
  public final class Telling {
    private final @Nullable RequestContext context;
    private final long operation;
    private final int requestId;
    private final ConnectionDescription connection;
    private final String database;
    private final String name;
    private final boolean sensitive;

    private Telling(
        @Nullable RequestContext context,
        long operation,
        int requestId,
        ConnectionDescription connection,
        String database,
        String name,
        boolean sensitive) {
      this.context = context;
      this.operation = operation;
      this.requestId = requestId;
      this.connection = connection;
      this.database = database;
      this.name = name;
      this.sensitive = sensitive;
    }

    /** Tells that the command was answered with {@code ok: 1}. */
    public void succeeded(BsonDocument reply, long elapsedNanos) {
      BsonDocument shown = sensitive ? new BsonDocument() : reply;
      if (LOG.isDebugEnabled()) {
        LOG.debug("{} of {} succeeded: {}", name, this, cut(shown));
      }
      tell(
          listener ->
              listener.commandSucceeded(
                  new CommandSucceededEvent(
                      context,
                      operation,
                      requestId,
                      connection,
                      database,
                      name,
                      shown,
                      elapsedNanos)));
    }

    /** Tells that the command failed. */
    public void failed(Throwable failure, long elapsedNanos) {
      Throwable shown = sensitive ? redacted(failure) : failure;
      if (LOG.isDebugEnabled()) {
        LOG.debug("{} of {} failed: {}", name, this, shown.getMessage());
      }
      tell(
          listener ->
              listener.commandFailed(
                  new CommandFailedEvent(
                      context,
                      operation,
                      requestId,
                      connection,
                      database,
                      name,
                      elapsedNanos,
                      shown)));
    }

    /**
     * Code and labels say what happened; the reply of a command about credentials may repeat them.
     */
    private Throwable redacted(Throwable failure) {
      if (!(failure instanceof MongoCommandException error)) {
        return failure;
      }
      BsonDocument kept = new BsonDocument();
      for (String field : List.of("ok", "code", "codeName", "errorLabels")) {
        if (error.getResponse().containsKey(field)) {
          kept.append(field, error.getResponse().get(field));
        }
      }
      ServerAddress server = error.getServerAddress();
      return new MongoCommandException(kept, server);
    }

    @Override
    public String toString() {
      return "operation " + operation + " on " + connection.getServerAddress() + "/" + database;
    }
  }
}
