// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.router.catalog.Placement;
import org.bson.BsonDocument;

/**
 * {@code insert}, {@code update} and {@code delete}: passed on as they are where the collection is
 * whole, else divided among its shards.
 */
final class WriteCommand implements Command {

  /** The kind of write: where its statements are. */
  enum Kind {
    INSERT("documents"),
    UPDATE("updates"),
    DELETE("deletes");

    final String field;

    Kind(String field) {
      this.field = field;
    }
  }

  private final Asking asking;
  private final Kind kind;

  WriteCommand(Asking asking, Kind kind) {
    this.asking = asking;
    this.kind = kind;
  }

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
    WriteBatch batch = new WriteBatch(asking, request, kind);
    return asking.placedWrite(
        request,
        request.collection(),
        placement ->
            switch (placement) {
              case Placement.Nowhere() ->
                  throw new IllegalStateException("the database of a write exists");
              case Placement.Unsharded(var database) ->
                  asking
                      .write(
                          request,
                          database.primary(),
                          request.forwarded(Asking.stamp(database)),
                          request.message().sequences())
                      .reply();
              case Placement.Sharded(var database, var table) -> batch.runOn(table);
            });
  }
}
