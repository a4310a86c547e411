// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Values;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $arrayToObject} and {@code $objectToArray}: documents as lists of names and values. */
final class Pairs {
  private Pairs() {}

  static void register(Operators.Registrar operators) {
    operators.fixed("$arrayToObject", 1, a -> toObject(a[0]));
    operators.fixed("$objectToArray", 1, a -> toArray(a[0]));
  }

  private static BsonValue toObject(@Nullable BsonValue value) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!(value instanceof BsonArray array)) {
      throw new EngineException(
          40386, "$arrayToObject requires an array input, found: " + BsonTypes.nameOf(value));
    }
    BsonDocument object = new BsonDocument();
    Boolean pairs = null;
    for (BsonValue element : array) {
      if (!element.isArray() && !element.isDocument()) {
        throw new EngineException(
            40398,
            "Unrecognised input type format for $arrayToObject: " + BsonTypes.nameOf(element));
      }
      if (pairs != null && pairs != element.isArray()) {
        throw new EngineException(
            element.isArray() ? 40391 : 40396,
            "$arrayToObject requires a consistent input format.");
      }
      pairs = element.isArray();
      if (pairs) {
        BsonArray pair = element.asArray();
        if (pair.size() != 2) {
          throw new EngineException(
              40397,
              "$arrayToObject requires an array of size 2 arrays,found array of size: "
                  + pair.size());
        }
        object.put(key(pair.get(0), 40395, 4940400), pair.get(1));
      } else {
        BsonDocument pair = element.asDocument();
        BsonValue k = Values.field(pair, "k");
        BsonValue v = Values.field(pair, "v");
        if (pair.size() != 2) {
          throw new EngineException(
              40392,
              "$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of"
                  + " keys:"
                  + pair.size());
        }
        if (k == null || v == null) {
          throw new EngineException(
              40393,
              "$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys"
                  + " from: "
                  + Values.showDocument(pair));
        }
        object.put(key(k, 40394, 4940401), v);
      }
    }
    return object;
  }

  private static String key(BsonValue key, int code, int nul) {
    if (!key.isString()) {
      throw new EngineException(
          code,
          "$arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be"
              + " of type string. Found type: "
              + BsonTypes.nameOf(key));
    }
    String name = key.asString().getValue();
    if (name.indexOf('\0') >= 0) {
      throw new EngineException(nul, "Key field cannot contain an embedded null byte");
    }
    return name;
  }

  private static BsonValue toArray(@Nullable BsonValue value) {
    if (value == null || Values.isNullish(value)) {
      return BsonNull.VALUE;
    }
    if (!(value instanceof BsonDocument document)) {
      throw new EngineException(
          40390, "$objectToArray requires a document input, found: " + BsonTypes.nameOf(value));
    }
    BsonArray pairs = new BsonArray();
    Objects.each(
        document,
        (name, field) -> pairs.add(new BsonDocument("k", new BsonString(name)).append("v", field)));
    return pairs;
  }
}
