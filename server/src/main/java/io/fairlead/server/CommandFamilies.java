// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import io.fairlead.server.admin.AdminCommands;
import io.fairlead.server.admin.SearchCommands;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.CommandTable;
import io.fairlead.server.command.Trait;
import io.fairlead.server.crud.CrudCommands;
import io.fairlead.server.cursor.CursorCommands;
import io.fairlead.server.diagnostics.DiagnosticCommands;
import io.fairlead.server.diagnostics.TestCommands;
import io.fairlead.server.failpoint.FailPointCommands;
import io.fairlead.server.handshake.HandshakeCommands;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.sessions.SessionCommands;
import io.fairlead.server.sharding.ShardingCommands;
import io.fairlead.server.transaction.TransactionCommands;
import java.util.ArrayList;
import java.util.List;

/** Joins the families into the table of one server. */
final class CommandFamilies {
  private CommandFamilies() {}

  static CommandTable table(ReplicationCoordinator coordinator) {
    return CommandTable.of(
        HandshakeCommands.family(),
        CrudCommands.family(),
        CursorCommands.family(),
        AdminCommands.family(),
        SearchCommands.family(),
        SessionCommands.family(),
        TransactionCommands.family(),
        DiagnosticCommands.family(),
        TestCommands.family(),
        FailPointCommands.family(),
        ShardingCommands.family(),
        replication(coordinator));
  }

  private static List<CommandSpec> replication(ReplicationCoordinator coordinator) {
    List<CommandSpec> specs = new ArrayList<>();
    for (String name : coordinator.commands()) {
      CommandSpec.Builder row =
          CommandSpec.named(name)
              .with(Trait.ADMIN_ONLY, Trait.LENIENT)
              .needs(name)
              .help("Replication: " + name + ".");
      if (name.startsWith("_")) {
        row.with(Trait.INTERNAL);
      }
      specs.add(row.runs(context -> coordinator.run(name, context.body())));
    }
    return specs;
  }
}
