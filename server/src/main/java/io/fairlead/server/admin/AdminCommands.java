// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Placement;
import io.fairlead.server.command.Trait;
import java.util.List;

/** The rows of the commands on databases, collections and indexes. */
public final class AdminCommands {
  private AdminCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        write("create", "Creates a collection.")
            .needs("createCollection")
            .with(Trait.API_V1, Trait.TRANSACTION)
            .takes(
                "capped",
                "autoIndexId",
                "idIndex",
                "size",
                "max",
                "storageEngine",
                "validator",
                "validationLevel",
                "validationAction",
                "indexOptionDefaults",
                "viewOn",
                "collation",
                "changeStreamPreAndPostImages",
                "timeseries",
                "expireAfterSeconds",
                "encryptedFields")
            .takesUntyped("pipeline", "clusteredIndex")
            .runs(Collections::create),
        write("drop", "Drops a collection.")
            .needs("dropCollection")
            .with(Trait.API_V1)
            .runs(Collections::drop),
        write("dropDatabase", "Drops a database.")
            .needs("dropDatabase")
            .with(Trait.API_V1)
            .runs(Collections::dropDatabase),
        write("renameCollection", "Renames a collection.")
            .needs("renameCollectionSameDB")
            .with(Trait.ADMIN_ONLY)
            .takes("to", "dropTarget")
            .runs(Collections::rename),
        write("convertToCapped", "Makes a collection a capped one.")
            .needs("convertToCapped")
            .takes("size")
            .runs(ConvertToCapped::convert),
        write("cloneCollectionAsCapped", "Makes a capped collection of another's documents.")
            .needs("convertToCapped")
            .takes("toCollection", "size")
            .runs(ConvertToCapped::copy),
        write("collMod", "Changes a collection's options or an index.")
            .needs("collMod")
            .with(Trait.API_V1, Trait.LENIENT)
            .runs(Collections::modify),
        read("listCollections", "Lists a database's collections.")
            .needs("listCollections")
            .with(Trait.API_V1)
            .takes("filter", "nameOnly", "authorizedCollections", "cursor")
            .runs(Listings::collections),
        read("listDatabases", "Lists the databases.")
            .needs("listDatabases")
            .with(Trait.API_V1, Trait.ADMIN_ONLY)
            .takes("filter", "nameOnly", "authorizedDatabases")
            .runs(Listings::databases),
        read("listIndexes", "Lists a collection's indexes.")
            .needs("listIndexes")
            .with(Trait.API_V1)
            .takes("cursor")
            .runs(Listings::indexes),
        write("createIndexes", "Creates indexes.")
            .needs("createIndex")
            .with(Trait.API_V1, Trait.TRANSACTION)
            .takes("indexes")
            .takesUntyped("commitQuorum")
            .runs(Indexes::create),
        write("dropIndexes", "Drops indexes.")
            .alias("deleteIndexes")
            .needs("dropIndex")
            .with(Trait.API_V1)
            .takesUntyped("index")
            .runs(Indexes::drop),
        read("dbStats", "Says how much a database holds.")
            .alias("dbstats")
            .needs("dbStats")
            .takes("scale", "freeStorage")
            .runs(Statistics::database),
        read("collStats", "Says how much a collection holds.")
            .alias("collstats")
            .needs("collStats")
            .takes("scale")
            .runs(Statistics::collection),
        read("validate", "Compares a collection's indexes with its documents.")
            .needs("validate")
            .with(Trait.LENIENT)
            .runs(Validation::run));
  }

  private static CommandSpec.Builder read(String name, String help) {
    return CommandSpec.named(name).on(Placement.READ).help(help);
  }

  private static CommandSpec.Builder write(String name, String help) {
    return CommandSpec.named(name).on(Placement.PRIMARY_ONLY).with(Trait.WRITES).help(help);
  }
}
