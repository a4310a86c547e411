// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.ShardKey;
import io.fairlead.router.catalog.Targeting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Which shards one statement of a write goes to. One that changes at most one document must be
 * narrowed to one shard by the shard key, or name its {@code _id} exactly, else it is refused, as
 * MongoDB does before 7.0. What would change a shard key value is refused, too: the document might
 * then belong to another shard.
 */
final class WriteTargets {

  private static final int IMMUTABLE_FIELD = 66;

  private final RoutingTable table;
  private final OperationContext context;

  WriteTargets(RoutingTable table, OperationContext context) {
    this.table = table;
    this.context = context;
  }

  Collection<String> ofInsert(BsonDocument document) {
    return List.of(table.chunkOf(table.key().of(document)).shard());
  }

  Collection<String> ofUpdate(BsonDocument statement) {
    BsonDocument query = query(statement);
    boolean multi = isTrue(statement.get("multi"));
    boolean upsert = isTrue(statement.get("upsert"));
    BsonValue update = statement.get("u");
    BsonValue @Nullable [] key = Targeting.fixedKey(table, query, isCollated(statement), context);
    requireKeyUnchanged(update, query);
    if (key == null
        && isReplacement(update)
        && update != null
        && hasWholeKey(update.asDocument())) {
      key = table.key().of(update.asDocument());
    }
    if (key != null) {
      return List.of(table.chunkOf(key).shard());
    }
    if (upsert) {
      throw new EngineException(
          ShardKey.SHARD_KEY_NOT_FOUND,
          "An upsert on the sharded collection "
              + table.namespace()
              + " must contain the shard key "
              + table.key().pattern().toJson()
              + " and have the simple collation");
    }
    return multi
        ? Targeting.shards(table, query, isCollated(statement), context)
        : one(query, statement, "update");
  }

  Collection<String> ofDelete(BsonDocument statement) {
    BsonDocument query = query(statement);
    boolean one = statement.get("limit") instanceof BsonNumber limit && limit.doubleValue() == 1;
    if (!one) {
      return Targeting.shards(table, query, isCollated(statement), context);
    }
    BsonValue @Nullable [] key = Targeting.fixedKey(table, query, isCollated(statement), context);
    return key != null ? List.of(table.chunkOf(key).shard()) : one(query, statement, "delete");
  }

  /** The one shard of a findAndModify. */
  String ofFindAndModify(Request request) {
    BsonDocument query = request.document("query");
    BsonValue update = request.get("update");
    if (update != null) {
      requireKeyUnchanged(update, query);
    }
    BsonValue @Nullable [] key = Targeting.fixedKey(table, query, request.isCollated(), context);
    if (key == null) {
      throw new EngineException(
          ShardKey.SHARD_KEY_NOT_FOUND,
          "Query for sharded findAndModify must contain the shard key "
              + table.key().pattern().toJson());
    }
    return table.chunkOf(key).shard();
  }

  private Collection<String> one(BsonDocument query, BsonDocument statement, String what) {
    BsonValue id = query.get("_id");
    boolean exact =
        id != null
            && !id.isArray()
            && !id.isRegularExpression()
            && !(id.isDocument() && isOperators(id.asDocument()));
    if (exact && !isCollated(statement)) {
      return table.shards();
    }
    throw new EngineException(
        ShardKey.SHARD_KEY_NOT_FOUND,
        "A single "
            + what
            + " on the sharded collection "
            + table.namespace()
            + " must contain an exact match on _id (and have the simple collation) or contain the"
            + " shard key "
            + table.key().pattern().toJson());
  }

  private static boolean isOperators(BsonDocument document) {
    return !document.isEmpty() && document.getFirstKey().startsWith("$");
  }

  private static BsonDocument query(BsonDocument statement) {
    if (statement.get("q") instanceof BsonDocument query) {
      return query;
    }
    throw new EngineException(40414, "BSON field 'q' is missing but a required field");
  }

  private static boolean isTrue(@Nullable BsonValue value) {
    return value != null
        && (value.isBoolean()
            ? value.asBoolean().getValue()
            : value.isNumber() && value.asNumber().doubleValue() != 0);
  }

  private static boolean isCollated(BsonDocument statement) {
    return statement.get("collation") instanceof BsonDocument collation
        && !(collation.get("locale") instanceof BsonString locale
            && locale.getValue().equals("simple"));
  }

  private static boolean isReplacement(@Nullable BsonValue update) {
    return update instanceof BsonDocument document && !isOperators(document);
  }

  private boolean hasWholeKey(BsonDocument document) {
    return table.key().fields().stream().allMatch(path -> plainAt(document, path) != null);
  }

  private static @Nullable BsonValue plainAt(BsonDocument document, String path) {
    BsonValue value = document;
    for (String part : path.split("\\.", -1)) {
      value = value instanceof BsonDocument inner ? inner.get(part) : null;
    }
    return value;
  }

  private void requireKeyUnchanged(@Nullable BsonValue update, BsonDocument query) {
    if (update == null) {
      return;
    }
    if (update.isArray()) {
      for (BsonValue stage : update.asArray()) {
        requireStageLeavesKey(stage);
      }
    } else if (isReplacement(update)) {
      requireReplacementKeepsKey(update.asDocument(), query);
    } else if (update.isDocument()) {
      requireOperatorsLeaveKey(update.asDocument(), query);
    }
  }

  private void requireReplacementKeepsKey(BsonDocument replacement, BsonDocument query) {
    for (String path : table.key().fields()) {
      BsonValue asked = query.get(path);
      BsonValue set = plainAt(replacement, path);
      boolean isId =
          path.equals("_id") && set == null; // a replacement without _id keeps the one there is
      if (!isId
          && asked != null
          && !BsonOrder.SIMPLE.equal(asked, set == null ? org.bson.BsonNull.VALUE : set)) {
        throw changes(path);
      }
    }
  }

  private void requireOperatorsLeaveKey(BsonDocument update, BsonDocument query) {
    for (var operator : update.entrySet()) {
      if (!(operator.getValue() instanceof BsonDocument fields)) {
        continue; // the shard says what is wrong with it
      }
      for (var change : fields.entrySet()) {
        requirePathIsNotKey(operator.getKey(), change.getKey(), change.getValue(), query);
        if (operator.getKey().equals("$rename") && change.getValue() instanceof BsonString target) {
          requirePathIsNotKey("$rename", target.getValue(), change.getValue(), query);
        }
      }
    }
  }

  private void requirePathIsNotKey(
      String operator, String path, BsonValue value, BsonDocument query) {
    if (operator.equals("$setOnInsert")) {
      return;
    }
    for (String field : table.key().fields()) {
      if (!overlaps(field, path)) {
        continue;
      }
      BsonValue asked = query.get(field);
      boolean sameValue =
          operator.equals("$set")
              && path.equals(field)
              && asked != null
              && BsonOrder.SIMPLE.equal(asked, value);
      if (!sameValue) {
        throw changes(field);
      }
    }
  }

  private void requireStageLeavesKey(BsonValue stage) {
    if (!(stage instanceof BsonDocument document) || document.isEmpty()) {
      return;
    }
    String name = document.getFirstKey();
    List<String> paths = new ArrayList<>();
    BsonValue specification = document.get(name);
    if (Set.of("$set", "$addFields").contains(name)
        && specification instanceof BsonDocument fields) {
      paths.addAll(fields.keySet());
    } else if (name.equals("$unset") && specification instanceof BsonString path) {
      paths.add(path.getValue());
    } else if (name.equals("$unset") && specification != null && specification.isArray()) {
      specification.asArray().forEach(path -> paths.add(path.asString().getValue()));
    } else {
      throw new EngineException(
          115,
          "an update of the sharded collection "
              + table.namespace()
              + " by the stage "
              + name
              + " is not supported yet: it might change the shard key");
    }
    for (String path : paths) {
      for (String field : table.key().fields()) {
        if (overlaps(field, path)) {
          throw changes(field);
        }
      }
    }
  }

  private static boolean overlaps(String field, String path) {
    return field.equals(path) || field.startsWith(path + ".") || path.startsWith(field + ".");
  }

  private EngineException changes(String field) {
    return new EngineException(
        IMMUTABLE_FIELD,
        "the update might change the shard key's field '"
            + field
            + "' of "
            + table.namespace()
            + ", which is not supported yet: delete the document and insert it anew");
  }
}
