// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Every command that a router has, by name. Immutable. */
final class CommandTable {

  private final Map<String, Command> commands = new HashMap<>();

  CommandTable(Parts parts) {
    Asking asking = new Asking(parts);
    greetings(parts);
    reads(asking);
    writes(asking);
    collections(asking);
    sharding(asking);
    diagnostics(asking);
  }

  @Nullable Command named(String name) {
    return commands.get(name);
  }

  Set<String> names() {
    return new TreeSet<>(commands.keySet());
  }

  private void add(Command command, String... names) {
    for (String name : names) {
      commands.put(name, command);
    }
  }

  private void greetings(Parts parts) {
    add(new HelloCommand(parts), "hello", "isMaster", "ismaster");
    add(ServerCommands::nothing, "ping", "endSessions", "refreshSessions", "logout");
    add(ServerCommands::startSession, "startSession");
  }

  private void reads(Asking asking) {
    CountingCommands counting = new CountingCommands(asking);
    CursorCommands cursors = new CursorCommands(asking);
    add(new FindCommand(asking), "find");
    add(new AggregateCommand(asking), "aggregate");
    add(counting::count, "count");
    add(counting::distinct, "distinct");
    add(cursors::getMore, "getMore");
    add(cursors::killCursors, "killCursors");
  }

  private void writes(Asking asking) {
    add(new WriteCommand(asking, WriteCommand.Kind.INSERT), "insert");
    add(new WriteCommand(asking, WriteCommand.Kind.UPDATE), "update");
    add(new WriteCommand(asking, WriteCommand.Kind.DELETE), "delete");
    add(new BulkWriteCommand(asking), "bulkWrite");
    add(new FindAndModifyCommand(asking), "findAndModify", "findandmodify");
  }

  private void collections(Asking asking) {
    CollectionCommands collections = new CollectionCommands(asking);
    add(collections::create, "create");
    add(collections::createIndexes, "createIndexes");
    add(collections::onAllShards, "dropIndexes", "deleteIndexes", "collMod");
    add(collections::listIndexes, "listIndexes");
    add(collections::listCollections, "listCollections");
    add(collections::statistics, "collStats", "collstats", "dbStats", "dbstats", "validate");
    add(collections::rename, "renameCollection");
    add(new ExplainCommand(asking), "explain");
  }

  private void sharding(Asking asking) {
    ChunkCommands chunks = new ChunkCommands(asking);
    ShardRegistryCommands registry = new ShardRegistryCommands(asking);
    DropCommands dropping = new DropCommands(asking);
    add(onAdmin(new EnableShardingCommand(asking)), "enableSharding", "enablesharding");
    add(onAdmin(new ShardCollectionCommand(asking)), "shardCollection", "shardcollection");
    add(onAdmin(chunks::split), "split");
    add(onAdmin(chunks::moveChunk), "moveChunk");
    add(onAdmin(registry::addShard), "addShard", "addshard");
    add(onAdmin(registry::listShards), "listShards", "listshards");
    add(onAdmin(registry::getShardMap), "getShardMap");
    add(onAdmin(ServerCommands::balancerStatus), "balancerStatus");
    add(onAdmin(ServerCommands::nothing), "balancerStop"); // there is none, so it is stopped
    add(onAdmin(registry::flushRouterConfig), "flushRouterConfig");
    add(dropping::drop, "drop");
    add(dropping::dropDatabase, "dropDatabase");
  }

  private static Command onAdmin(Command command) {
    return request -> {
      ServerCommands.requireAdmin(request);
      return command.run(request);
    };
  }

  private void diagnostics(Asking asking) {
    ServerCommands server = new ServerCommands(asking);
    add(ServerCommands::buildInfo, "buildInfo", "buildinfo");
    add(server::serverStatus, "serverStatus");
    add(ServerCommands::connectionStatus, "connectionStatus");
    add(ServerCommands::getCmdLineOpts, "getCmdLineOpts");
    add(ServerCommands::getLog, "getLog");
    add(onAdmin(RouterParameters::get), "getParameter");
    add(StableApi::test, "testVersion2", "testDeprecation");
    add(SearchCommands.REFUSED, SearchCommands.NAMES);
    add(ServerCommands::isdbgrid, "isdbgrid");
    add(server::listDatabases, "listDatabases");
    add(server::configureFailPoint, "configureFailPoint");
    add(server::waitForFailPoint, "waitForFailPoint");
    add(server::routingStatus, "routingStatus");
    add(this::listCommands, "listCommands");
  }

  private BsonDocument listCommands(Request request) {
    BsonDocument list = new BsonDocument();
    for (String name : names()) {
      list.append(name, new BsonDocument("adminOnly", BsonBoolean.FALSE));
    }
    return Asking.ok(request, new BsonDocument("commands", list));
  }
}
