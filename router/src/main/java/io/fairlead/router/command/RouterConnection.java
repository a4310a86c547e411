// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.router.bytes.Splice;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.topology.readpreference.InvalidReadPreferenceException;
import io.fairlead.wire.failpoint.CommandFacts;
import io.fairlead.wire.failpoint.Effect;
import io.fairlead.wire.listener.ClientConnection;
import io.fairlead.wire.listener.CloseConnectionException;
import io.fairlead.wire.listener.ConnectionService;
import io.fairlead.wire.listener.Replies;
import io.fairlead.wire.listener.ServiceFactory;
import io.fairlead.wire.message.Message;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: a request comes in, the fail point may have it, its command answers, and
 * whatever goes wrong becomes an error reply. Runs on the connection's own thread.
 */
public final class RouterConnection implements ConnectionService {

  private static final int COMMAND_NOT_FOUND = 59;
  private static final int ILLEGAL_OPERATION = 20;
  private static final Set<String> IN_TRANSACTION = Set.of("startTransaction", "autocommit");

  private final Parts parts;
  private final CommandTable table;
  private final NewestClusterTime clusterTime;
  private final ClientState client;

  private RouterConnection(
      Parts parts, CommandTable table, NewestClusterTime clusterTime, ClientConnection connection) {
    this.parts = parts;
    this.table = table;
    this.clusterTime = clusterTime;
    this.client = new ClientState(connection);
  }

  /** Makes the connections of a router. */
  public static ServiceFactory factory(Parts parts) {
    CommandTable table = new CommandTable(parts);
    NewestClusterTime clusterTime = new NewestClusterTime();
    return connection -> new RouterConnection(parts, table, clusterTime, connection);
  }

  @Override
  public BsonDocument handle(Message message, Replies replies) throws InterruptedException {
    Request request = new Request(message, client, replies, parts.clock().instant());
    try {
      Command command = table.named(request.name());
      if (command == null) {
        throw new EngineException(COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
      }
      StableApi.require(request);
      refuseWhatIsNotSupported(request);
      Effect effect = parts.failPoints().onCommand(facts(request));
      BsonDocument reply =
          effect.isNone() ? command.run(request) : underFailPoint(request, command, effect);
      return clusterTime.addTo(reply, request.times().clusterTime());
    } catch (EngineException own) {
      return failed(request, ReplyException.of(own));
    } catch (InvalidReadPreferenceException invalid) {
      return failed(request, ReplyException.of(invalid, ""));
    } catch (ReplyException told) {
      return failed(request, told);
    } catch (com.mongodb.MongoException config) {
      return failed(request, ReplyException.of(config, "config"));
    }
  }

  private static BsonDocument failed(Request request, ReplyException error) {
    return request.times().addTo(error.labelled(request.isRetryableWrite()).reply());
  }

  private static void refuseWhatIsNotSupported(Request request) {
    if (request.database().isEmpty()) {
      throw new EngineException(40571, "OP_MSG requests require a $db argument");
    }
    for (String field : IN_TRANSACTION) {
      if (request.has(field)) {
        throw new EngineException(
            ILLEGAL_OPERATION,
            "multi-document transactions through the router are not supported yet: remove '"
                + field
                + "'");
      }
    }
  }

  private CommandFacts facts(Request request) {
    BsonValue target = request.get(request.name());
    String namespace =
        target instanceof BsonString collection
            ? request.database() + "." + collection.getValue()
            : request.database();
    return new CommandFacts(
        canonical(request.name()),
        namespace,
        client.applicationName(),
        "conn" + client.connectionId(),
        false);
  }

  private static String canonical(String name) {
    return switch (name) {
      case "ismaster" -> "isMaster";
      case "findandmodify" -> "findAndModify";
      default -> name;
    };
  }

  private static BsonDocument underFailPoint(Request request, Command command, Effect effect)
      throws InterruptedException {
    if (!effect.block().isZero()) {
      TimeUnit.NANOSECONDS.sleep(effect.block().toNanos());
    }
    return switch (effect.outcome()) {
      case Effect.Proceed() -> command.run(request);
      case Effect.CloseConnection() ->
          throw new CloseConnectionException("the fail point failCommand closes it");
      case Effect.Fail fail -> failReply(request, fail, effect.errorLabels());
      case Effect.AddWriteConcernError(BsonDocument error) ->
          withWriteConcernError(command.run(request), error, effect.errorLabels());
    };
  }

  private static BsonDocument failReply(
      Request request, Effect.Fail fail, @Nullable List<String> labels) {
    ReplyException error =
        ReplyException.of(new EngineException(fail.code(), fail.message(), fail.extraInfo()));
    if (labels == null) {
      return error.labelled(request.isRetryableWrite()).reply();
    }
    BsonDocument reply = error.reply();
    if (!labels.isEmpty()) {
      reply.put("errorLabels", array(labels));
    }
    return reply;
  }

  private static BsonDocument withWriteConcernError(
      BsonDocument reply, BsonDocument error, @Nullable List<String> labels) {
    BsonDocument complete = new BsonDocument();
    error.forEach(complete::append);
    if (error.get("code") instanceof BsonInt32 code) {
      complete.putIfAbsent("codeName", new BsonString(ErrorCodes.nameOf(code.getValue())));
    }
    BsonDocument extra = new BsonDocument("writeConcernError", complete);
    if (labels != null && !labels.isEmpty()) {
      extra.append("errorLabels", array(labels));
    }
    return Splice.of(Splice.raw(reply), extra.keySet(), extra);
  }

  private static BsonArray array(List<String> labels) {
    BsonArray array = new BsonArray();
    labels.forEach(label -> array.add(new BsonString(label)));
    return array;
  }

  @Override
  public void close() {
    // cursors outlive the connection, as any connection of a client's pool may ask for more
  }
}
