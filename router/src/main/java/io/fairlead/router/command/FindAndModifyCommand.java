// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.expression.LetVariables;
import io.fairlead.router.catalog.Placement;
import java.util.List;
import org.bson.BsonDocument;

/** {@code findAndModify}: passed to the one shard that its query names. */
final class FindAndModifyCommand implements Command {

  private final Asking asking;

  FindAndModifyCommand(Asking asking) {
    this.asking = asking;
  }

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
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
                          List.of())
                      .reply();
              case Placement.Sharded(var database, var table) -> {
                String shard =
                    new WriteTargets(
                            table, LetVariables.bind(request.context(), request.document("let")))
                        .ofFindAndModify(request);
                yield asking
                    .write(request, shard, request.forwarded(Asking.stamp(table, shard)), List.of())
                    .reply();
              }
            });
  }
}
