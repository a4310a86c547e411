// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The full name of a collection: database and collection. Immutable; ordered by database, then
 * collection.
 */
public final class Namespace implements Comparable<Namespace> {
  private final String database;
  private final String collection;
  private final byte[] key;

  private Namespace(String database, String collection) {
    this.database = Objects.requireNonNull(database);
    this.collection = Objects.requireNonNull(collection);
    this.key = (database + '\0' + collection).getBytes(StandardCharsets.UTF_8);
  }

  /** The collection of that name; what may be created is checked when it is created, not here. */
  public static Namespace of(String database, String collection) {
    return new Namespace(database, collection);
  }

  /**
   * Splits {@code db.collection} at the first dot; without a dot the collection's name is empty.
   */
  public static Namespace parse(String full) {
    int dot = full.indexOf('.');
    return dot < 0
        ? new Namespace(full, "")
        : new Namespace(full.substring(0, dot), full.substring(dot + 1));
  }

  public String database() {
    return database;
  }

  public String collection() {
    return collection;
  }

  @Override
  public int compareTo(Namespace other) {
    int byDatabase = database.compareTo(other.database);
    return byDatabase != 0 ? byDatabase : collection.compareTo(other.collection);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Namespace that
        && database.equals(that.database)
        && collection.equals(that.collection);
  }

  @Override
  public int hashCode() {
    return 31 * database.hashCode() + collection.hashCode();
  }

  /** {@code db.collection}. */
  @Override
  public String toString() {
    return database + '.' + collection;
  }

  /** The name as bytes in the order of names: shared, not to be changed. */
  public byte[] key() {
    return key;
  }
}
