// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import java.util.ArrayList;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What an operation gave.
 *
 * @param ofDocuments whether an array came from a cursor, so that its items are root documents
 * @param handle what can be given a name although it is no value, such as a cursor
 */
record Outcome(@Nullable BsonValue value, boolean ofDocuments, @Nullable Object handle) {
  static final Outcome NOTHING = new Outcome(null, false, null);

  static Outcome of(BsonValue value) {
    return new Outcome(value, false, null);
  }

  static Outcome orNull(@Nullable BsonDocument document) {
    return of(document == null ? BsonNull.VALUE : document);
  }

  static Outcome orNothing(@Nullable BsonValue value) {
    return value == null ? NOTHING : of(value);
  }

  static Outcome of(long number) {
    return of(new BsonInt64(number));
  }

  static Outcome documents(Iterable<? extends BsonValue> documents) {
    BsonArray all = new BsonArray();
    documents.forEach(all::add);
    return new Outcome(all, true, null);
  }

  static Outcome values(Iterable<? extends BsonValue> values) {
    ArrayList<BsonValue> all = new ArrayList<>();
    values.forEach(all::add);
    return of(new BsonArray(all));
  }

  static Outcome handle(Object handle) {
    return new Outcome(null, false, handle);
  }
}
