// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.transaction;

import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Placement;
import io.fairlead.server.command.Trait;
import java.util.List;
import org.bson.BsonDocument;

/** {@code commitTransaction} and {@code abortTransaction}. */
public final class TransactionCommands {
  private TransactionCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        row("commitTransaction", "Makes what a transaction wrote visible.")
            .runs(TransactionCommands::commit),
        row("abortTransaction", "Forgets what a transaction wrote.")
            .runs(TransactionCommands::abort));
  }

  private static CommandSpec.Builder row(String name, String help) {
    return CommandSpec.named(name)
        .on(Placement.PRIMARY_ONLY)
        .with(
            Trait.ADMIN_ONLY,
            Trait.WRITES,
            Trait.RETRYABLE,
            Trait.TRANSACTION,
            Trait.ENDS_TRANSACTION,
            Trait.API_V1)
        .takes("recoveryToken")
        .help(help);
  }

  private static BsonDocument commit(CommandContext context) {
    requireTransaction(context);
    context.server().transactions().of(context).commit(context);
    return new BsonDocument();
  }

  private static BsonDocument abort(CommandContext context) {
    requireTransaction(context);
    context.server().transactions().of(context).abortAsAsked(context);
    return new BsonDocument();
  }

  private static void requireTransaction(CommandContext context) {
    if (!context.inTransaction()) {
      throw Failures.of(125, context.spec().name() + " must be run within a transaction");
    }
  }
}
