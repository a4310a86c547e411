// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.geo.GeoCells;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.text.TextIndexOptions;
import io.fairlead.engine.value.BsonOrder;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** An index as it was created, checked and compiled. Immutable. */
public final class IndexDefinition {
  private final BsonDocument declared;
  private final String name;
  private final BsonDocument key;
  private final KeyPattern pattern;
  private final List<String> topFields;
  private final boolean id;
  private final boolean unique;
  private final boolean sparse;
  private final boolean hidden;
  private final OptionalLong expireAfterSeconds;
  private final @Nullable Collation collation;
  private final IndexKind kind;
  private final @Nullable GeoCells cells;
  private final @Nullable WildcardPaths wildcard;
  private final @Nullable TextIndexOptions text;
  private final @Nullable Matcher filter;

  IndexDefinition(BsonDocument declared) {
    this.declared = declared;
    this.name = declared.getString("name").getValue();
    this.key = declared.getDocument("key");
    this.pattern = KeyPattern.of(key);
    this.topFields = key.keySet().stream().map(IndexDefinition::firstPart).distinct().toList();
    this.id = key.size() == 1 && key.containsKey("_id") && key.get("_id").isNumber();
    this.unique = id || truthy("unique") || truthy("prepareUnique");
    this.sparse = truthy("sparse");
    this.hidden = truthy("hidden");
    this.expireAfterSeconds =
        declared.containsKey("expireAfterSeconds")
            ? OptionalLong.of(declared.getNumber("expireAfterSeconds").longValue())
            : OptionalLong.empty();
    this.collation =
        declared.get("collation") instanceof BsonDocument options ? Collation.of(options) : null;
    this.kind = IndexKind.of(key);
    this.cells = SpecialKinds.cells(declared);
    this.wildcard = SpecialKinds.wildcardPaths(declared);
    this.text = kind == IndexKind.TEXT ? TextIndexOptions.of(declared) : null;
    this.filter =
        declared.containsKey("partialFilterExpression")
            ? Matcher.compileFields(
                declared.getDocument("partialFilterExpression"),
                OperationContext.at(Instant.EPOCH)
                    .withOrder(
                        collation == null ? BsonOrder.SIMPLE : BsonOrder.collated(collation)))
            : null;
  }

  private boolean truthy(String option) {
    return declared.containsKey(option)
        && (declared.get(option).isBoolean()
            ? declared.getBoolean(option).getValue()
            : declared.getNumber(option).doubleValue() != 0);
  }

  /** As listIndexes reports it. */
  public BsonDocument declared() {
    return declared;
  }

  public String name() {
    return name;
  }

  /** The key pattern as it was given. */
  public BsonDocument key() {
    return key;
  }

  public KeyPattern pattern() {
    return pattern;
  }

  /** Whether it is the index on {@code _id} that every collection has. */
  public boolean isId() {
    return id;
  }

  /** Whether no two documents may get one key. */
  public boolean unique() {
    return unique;
  }

  /** Whether no two documents have one key: more than that none are let in any more. */
  public boolean holdsUnique() {
    return id || truthy("unique");
  }

  /** Whether documents without any of its fields are left out. */
  public boolean sparse() {
    return sparse;
  }

  /** Whether the planner must not use it. */
  public boolean hidden() {
    return hidden;
  }

  /**
   * After how many seconds documents expire, counted from the date in the index; empty when they do
   * not.
   */
  public OptionalLong expireAfterSeconds() {
    return expireAfterSeconds;
  }

  /** How its strings are ordered, so that its keys hold sort keys; null by their bytes. */
  public @Nullable Collation strings() {
    return collation;
  }

  /** Which documents are in it; null for all. */
  public @Nullable Matcher filter() {
    return filter;
  }

  /** What it does with the values of its fields. */
  public IndexKind kind() {
    return kind;
  }

  /** How it keeps geometry; null for an index of another kind. */
  public @Nullable GeoCells cells() {
    return cells;
  }

  /** Which paths it covers; null unless it is a wildcard index. */
  public @Nullable WildcardPaths wildcard() {
    return wildcard;
  }

  /** How it reads texts; null unless it is a text index. */
  public @Nullable TextIndexOptions text() {
    return text;
  }

  /** Whether no key can differ between documents that differ in these top-level fields only. */
  public boolean isUntouchedBy(Set<String> changed) {
    if (kind != IndexKind.ORDERED || filter != null) {
      return false;
    }
    for (String name : topFields) {
      if (changed.contains(name)) {
        return false;
      }
    }
    return true;
  }

  private static String firstPart(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  /** Whether field {@code i} keeps something else than the values themselves. */
  public boolean isSpecial(int field) {
    String path = pattern.fields().get(field).path();
    return kind != IndexKind.ORDERED
        && (key.get(path) instanceof BsonString
            || (kind == IndexKind.WILDCARD && IndexKind.isWildcard(path))
            || (kind == IndexKind.TEXT && path.startsWith("_fts")));
  }

  /** A reader of its keys, for one thread. */
  public IndexKeys reader() {
    return kind == IndexKind.ORDERED
        ? new KeyReader(pattern, sparse, collation)
        : SpecialKinds.reader(this);
  }

  /** The same index with another value of an option. */
  public IndexDefinition with(String option, org.bson.BsonValue value) {
    BsonDocument changed = declared.clone();
    changed.put(option, value);
    return new IndexDefinition(changed);
  }

  /** The same index without an option. */
  public IndexDefinition without(String option) {
    BsonDocument changed = declared.clone();
    changed.remove(option);
    return new IndexDefinition(changed);
  }
}
