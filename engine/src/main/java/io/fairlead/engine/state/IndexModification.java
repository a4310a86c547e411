// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.INDEX_NOT_FOUND;
import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.Documents;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexRules;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.plan.NamedIndexes;
import io.fairlead.engine.plan.Planner;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.value.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** The {@code index} option of collMod: changes one index's options without building it anew. */
final class IndexModification {
  private static final int CANNOT_CONVERT_INDEX_TO_UNIQUE = 359;
  private static final Set<String> FIELDS =
      Set.of("name", "keyPattern", "expireAfterSeconds", "hidden", "unique", "prepareUnique");

  private final CollectionState state;
  private final BsonDocument wish;
  private final BsonDocument reply;
  private final IndexState index;
  private IndexDefinition definition;

  /** An {@code index} option; the reply gets its {@code …_old} and {@code …_new} fields. */
  IndexModification(CollectionState state, BsonDocument wish, BsonDocument reply) {
    this.state = state;
    this.wish = wish;
    this.reply = reply;
    checkFields();
    this.index = find();
    this.definition = index.definition();
  }

  private void checkFields() {
    for (String name : wish.keySet()) {
      if (!FIELDS.contains(name)) {
        throw new EngineException(
            40415, "BSON field 'collMod.index." + name + "' is an unknown field.");
      }
    }
    if (wish.containsKey("name") == wish.containsKey("keyPattern")) {
      throw Modification.invalid(
          wish.containsKey("name")
              ? "Cannot specify both key pattern and name."
              : "Must specify either index name or key pattern.");
    }
    if (wish.size() == 1) {
      throw Modification.invalid("no expireAfterSeconds, hidden, unique, or prepareUnique field");
    }
  }

  private IndexState find() {
    BsonValue which = wish.containsKey("name") ? wish.get("name") : wish.get("keyPattern");
    if (which == null || !(which.isString() || which.isDocument())) {
      throw Modification.invalid("Must specify either index name or key pattern.");
    }
    NamedIndexes.requireOne(state, which);
    IndexState found = Planner.find(state, which);
    if (found == null) {
      throw new EngineException(
          INDEX_NOT_FOUND,
          "cannot find index " + Values.show(which) + " for ns " + state.namespace());
    }
    return found;
  }

  /**
   * The collection with the index changed.
   *
   * @param dryRun whether only to look for what would be in the way of a unique index
   */
  CollectionState apply(boolean dryRun, Instant now) {
    BsonValue seconds = wish.get("expireAfterSeconds");
    if (seconds != null) {
      expiry(seconds);
    }
    BsonValue hidden = wish.get("hidden");
    if (hidden != null) {
      hide(Modification.truth("index.hidden", hidden));
    }
    BsonValue unique = wish.get("unique");
    if (unique != null) {
      unique(Modification.truth("index.unique", unique), dryRun);
    }
    BsonValue prepare = wish.get("prepareUnique");
    if (prepare != null) {
      prepareUnique(Modification.truth("index.prepareUnique", prepare));
    }
    if (dryRun) {
      return state;
    }
    List<IndexState> indexes = new ArrayList<>(state.indexes());
    indexes.set(indexes.indexOf(index), index.redefined(definition, now));
    return state.withIndexes(indexes);
  }

  private void expiry(BsonValue seconds) {
    try {
      IndexRules.checkExpiry(definition.key(), seconds);
    } catch (EngineException wrong) {
      throw new EngineException(INVALID_OPTIONS, String.valueOf(wrong.getMessage()));
    }
    long number = seconds.asNumber().longValue();
    definition
        .expireAfterSeconds()
        .ifPresent(old -> reply.append("expireAfterSeconds_old", new BsonInt64(old)));
    reply.append("expireAfterSeconds_new", new BsonInt64(number));
    definition = definition.with("expireAfterSeconds", new BsonInt32((int) number));
  }

  private void hide(boolean hidden) {
    if (definition.isId()) {
      throw Modification.badValue("can't hide _id index");
    }
    if (hidden != definition.hidden()) {
      reply.append("hidden_old", BsonBoolean.valueOf(definition.hidden()));
      reply.append("hidden_new", BsonBoolean.valueOf(hidden));
      definition =
          hidden ? definition.with("hidden", BsonBoolean.TRUE) : definition.without("hidden");
    }
  }

  private void unique(boolean unique, boolean dryRun) {
    if (!unique) {
      throw Modification.badValue("'unique: false' is not supported");
    }
    if (definition.isId()) {
      return;
    }
    if (definition.declared().containsKey("unique")) {
      return;
    }
    if (!dryRun && !definition.declared().containsKey("prepareUnique")) {
      throw Modification.invalid(
          "Cannot make index unique with the option 'prepareUnique' unset. Run collMod to set it"
              + " before converting the index to unique.");
    }
    BsonArray violations = violations();
    if (!violations.isEmpty()) {
      throw new EngineException(
          CANNOT_CONVERT_INDEX_TO_UNIQUE,
          "Cannot convert the index to unique. Please resolve conflicting documents before running"
              + " collMod again.",
          new BsonDocument("violations", violations));
    }
    reply.append("unique_new", BsonBoolean.TRUE);
    definition = definition.without("prepareUnique").with("unique", BsonBoolean.TRUE);
  }

  private void prepareUnique(boolean prepare) {
    boolean before = definition.declared().containsKey("prepareUnique");
    if (prepare == before || (prepare && definition.declared().containsKey("unique"))) {
      return;
    }
    if (definition.isId()) {
      throw Modification.badValue("can't set prepareUnique on the _id index");
    }
    reply.append("prepareUnique_old", BsonBoolean.valueOf(before));
    reply.append("prepareUnique_new", BsonBoolean.valueOf(prepare));
    definition =
        prepare
            ? definition.with("prepareUnique", BsonBoolean.TRUE)
            : definition.without("prepareUnique");
  }

  /** The ids of documents that have a key in common, group by group. */
  private BsonArray violations() {
    BsonArray violations = new BsonArray();
    BsonArray group = new BsonArray();
    byte[] previous = null;
    TreeCursor<Void> cursor = index.entries().cursor();
    for (boolean more = cursor.first(); more; more = cursor.next()) {
      byte[] entry = cursor.key();
      if (previous == null || !sameKey(previous, entry)) {
        close(group, violations);
        group = new BsonArray();
      }
      byte[] document = state.document(entry);
      group.add(BsonBytes.decode(document, Documents.id(document)));
      previous = entry;
    }
    close(group, violations);
    return violations;
  }

  private static void close(BsonArray group, BsonArray violations) {
    if (group.size() > 1) {
      violations.add(new BsonDocument("ids", group));
    }
  }

  private static boolean sameKey(byte[] a, byte[] b) {
    int length = RecordIds.start(a);
    return length == RecordIds.start(b) && Arrays.equals(a, 0, length, b, 0, length);
  }
}
