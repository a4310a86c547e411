// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Placement;
import io.fairlead.server.command.Trait;
import java.util.List;

/** The rows of the commands on documents. */
public final class CrudCommands {
  private CrudCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        read("find", "Finds documents.")
            .needs("find")
            .with(Trait.TRANSACTION)
            .takes(
                "filter",
                "sort",
                "projection",
                "skip",
                "limit",
                "batchSize",
                "singleBatch",
                "max",
                "min",
                "returnKey",
                "showRecordId",
                "tailable",
                "oplogReplay",
                "noCursorTimeout",
                "awaitData",
                "allowPartialResults",
                "collation",
                "allowDiskUse",
                "let")
            .takesUntyped("hint")
            .runs(Find::run),
        read("aggregate", "Runs a pipeline.")
            .needs("find")
            .with(Trait.WRITES, Trait.TRANSACTION)
            .takes("collation", "let", "allowDiskUse", "bypassDocumentValidation")
            .takesUntyped("pipeline", "explain", "cursor", "hint")
            .runs(Aggregate::run),
        read("count", "Counts documents.")
            .needs("find")
            .takes("query", "limit", "skip", "collation", "fields")
            .takesUntyped("hint")
            .runs(Counting::count),
        CommandSpec.named("distinct")
            .on(Placement.READ)
            .help("Lists the distinct values at a path.")
            .needs("find")
            .with(Trait.READS, Trait.TRANSACTION)
            .takes("key", "query", "collation")
            .takesUntyped("hint")
            .runs(Counting::distinct),
        CommandSpec.named("explain")
            .on(Placement.READ)
            .with(Trait.READS, Trait.API_V1)
            .takes("verbosity")
            .help("Says how a command would run.")
            .runs(Explain::run),
        write("insert", "Inserts documents.")
            .needs("insert")
            .takes("documents", "ordered", "bypassDocumentValidation", "stmtId", "stmtIds")
            .runs(Insert::run),
        write("update", "Updates documents.")
            .needs("update")
            .takes("updates", "ordered", "bypassDocumentValidation", "let", "stmtId", "stmtIds")
            .runs(Update::run),
        write("delete", "Deletes documents.")
            .needs("remove")
            .takes("deletes", "ordered", "let", "stmtId", "stmtIds")
            .runs(Delete::run),
        write("findAndModify", "Changes or deletes one document and answers it.")
            .alias("findandmodify")
            .needs("update")
            .takes(
                "query",
                "sort",
                "remove",
                "new",
                "fields",
                "upsert",
                "bypassDocumentValidation",
                "arrayFilters",
                "collation",
                "let",
                "stmtId")
            .takesUntyped("update", "hint")
            .runs(FindAndModify::run),
        write("bulkWrite", "Inserts, updates and deletes in several collections.")
            .needs("update")
            .with(Trait.ADMIN_ONLY)
            .takes(
                "ops",
                "nsInfo",
                "ordered",
                "errorsOnly",
                "cursor",
                "bypassDocumentValidation",
                "let",
                "stmtId",
                "stmtIds")
            .runs(BulkWrite::run),
        Refused.mapReduce());
  }

  private static CommandSpec.Builder read(String name, String help) {
    return CommandSpec.named(name).on(Placement.READ).with(Trait.READS, Trait.API_V1).help(help);
  }

  private static CommandSpec.Builder write(String name, String help) {
    return CommandSpec.named(name)
        .on(Placement.PRIMARY_ONLY)
        .with(Trait.WRITES, Trait.RETRYABLE, Trait.TRANSACTION, Trait.API_V1)
        .help(help);
  }
}
