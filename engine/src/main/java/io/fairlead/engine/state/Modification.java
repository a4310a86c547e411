// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.COMMAND_NOT_SUPPORTED;
import static io.fairlead.engine.error.ErrorCodes.INDEX_NOT_FOUND;
import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;

import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexRules;
import io.fairlead.engine.plan.Planner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * What collMod makes of a collection.
 *
 * @param state the collection with the modification
 * @param reply the fields of the command's reply
 */
record Modification(CollectionState state, BsonDocument reply) {
  static Modification of(CollectionState before, BsonDocument fields) {
    CollectionState state = before;
    BsonDocument reply = new BsonDocument();
    BsonDocument options = before.options().declared().clone();
    for (Map.Entry<String, BsonValue> field : fields.entrySet()) {
      boolean ofViews = field.getKey().equals("viewOn") || field.getKey().equals("pipeline");
      if (ofViews != before.isView()) {
        throw new EngineException(
            INVALID_OPTIONS,
            "option "
                + (ofViews ? "only supported on a view: " : "not supported on a view: ")
                + field.getKey());
      }
      switch (field.getKey()) {
        case "viewOn", "pipeline" -> options.put(field.getKey(), field.getValue());
        case "validator", "validationLevel", "validationAction" ->
            options.put(field.getKey(), field.getValue());
        case "cappedSize" -> options.put("size", capped(before, field.getValue()));
        case "cappedMax" -> options.put("max", capped(before, field.getValue()));
        case "index" -> state = index(state, field.getValue().asDocument(), reply);
        default ->
            throw new EngineException(
                COMMAND_NOT_SUPPORTED,
                "collMod: the option '" + field.getKey() + "' is not supported");
      }
    }
    if (fields.containsKey("pipeline") != fields.containsKey("viewOn")) {
      throw new EngineException(
          INVALID_OPTIONS, "Must specify both 'viewOn' and 'pipeline' when modifying a view");
    }
    CollectionOptions changed =
        new CollectionOptions(before.options().uuid(), options, before.options().recordKeyField());
    return new Modification(state.withOptions(changed), reply);
  }

  private static BsonValue capped(CollectionState state, BsonValue value) {
    if (!state.rules().capped()) {
      throw new EngineException(INVALID_OPTIONS, "Collection must be capped.");
    }
    return value;
  }

  private static CollectionState index(
      CollectionState state, BsonDocument wish, BsonDocument reply) {
    BsonValue which = wish.containsKey("name") ? wish.get("name") : wish.get("keyPattern");
    if (which == null) {
      throw new EngineException(INVALID_OPTIONS, "Must specify either index name or key pattern.");
    }
    IndexState index = Planner.find(state, which);
    if (index == null) {
      throw new EngineException(
          INDEX_NOT_FOUND, "cannot find index " + which + " for ns " + state.namespace());
    }
    IndexDefinition definition = index.definition();
    for (Map.Entry<String, BsonValue> option : wish.entrySet()) {
      BsonValue value = option.getValue();
      switch (option.getKey()) {
        case "name", "keyPattern" -> {}
        case "expireAfterSeconds" -> {
          IndexRules.checkExpiry(definition.key(), value);
          BsonInt64 seconds = new BsonInt64(value.asNumber().longValue());
          definition
              .expireAfterSeconds()
              .ifPresent(old -> reply.append("expireAfterSeconds_old", new BsonInt64(old)));
          reply.append("expireAfterSeconds_new", seconds);
          definition =
              definition.with("expireAfterSeconds", new BsonInt32((int) seconds.getValue()));
        }
        case "hidden" -> {
          if (definition.isId()) {
            throw new EngineException(BAD_VALUE, "can't hide _id index");
          }
          boolean hidden = value.isBoolean() && value.asBoolean().getValue();
          if (hidden != definition.hidden()) {
            reply.append("hidden_old", BsonBoolean.valueOf(definition.hidden()));
            reply.append("hidden_new", BsonBoolean.valueOf(hidden));
            definition =
                hidden ? definition.with("hidden", BsonBoolean.TRUE) : definition.without("hidden");
          }
        }
        default ->
            throw new EngineException(
                COMMAND_NOT_SUPPORTED,
                "collMod: the index option '" + option.getKey() + "' is not supported");
      }
    }
    List<IndexState> indexes = new ArrayList<>(state.indexes());
    indexes.set(indexes.indexOf(index), index.redefined(definition));
    return state.withIndexes(indexes);
  }
}
