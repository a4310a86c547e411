// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.shard.ReplyException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What to read instead of a view, as a shard tells it that has only a part of what the view reads.
 *
 * @param source the collection or view below
 * @param pipeline what the view does with it
 */
record ResolvedView(Namespace source, List<BsonDocument> pipeline) {

  private static final int ON_SHARDED = 169;

  /** Whether a shard refused a read because it has only a part of what the read reaches. */
  static boolean isPartial(ReplyException refused) {
    return refused.code() == ON_SHARDED;
  }

  /**
   * The view of which a refusal tells; null when it tells of none.
   *
   * @throws EngineException 115 for a view whose strings compare otherwise than byte by byte
   */
  static @Nullable ResolvedView in(ReplyException refused) {
    if (!isPartial(refused)
        || !(refused.reply().get("resolvedView") instanceof BsonDocument told)) {
      return null;
    }
    if (told.get("collation") instanceof BsonDocument collation
        && !new BsonString("simple").equals(collation.get("locale"))) {
      throw new EngineException(
          115, "a view with a collation over several shards is not supported yet");
    }
    List<BsonDocument> stages = new ArrayList<>();
    for (BsonValue stage : told.getArray("pipeline", new BsonArray())) {
      stages.add(stage.asDocument());
    }
    return new ResolvedView(Namespace.parse(told.getString("ns").getValue()), stages);
  }

  /** The stages of a read of the view, as stages on its source. */
  List<BsonDocument> before(List<BsonDocument> stages) {
    List<BsonDocument> all = new ArrayList<>(pipeline);
    all.addAll(stages);
    return all;
  }
}
