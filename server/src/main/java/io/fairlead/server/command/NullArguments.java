// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * Arguments that come as null or undefined. One that has a type did not come at all then, as
 * MongoDB reads it: an optional one has its default, a required one is missing.
 */
public final class NullArguments {
  private NullArguments() {}

  /** Leaves out of a command what is null of its own arguments. */
  public static void leaveOut(CommandSpec spec, BsonDocument body) {
    if (hasNull(body)) {
      String own = body.getFirstKey();
      body.entrySet()
          .removeIf(
              argument ->
                  isNull(argument.getValue())
                      && !argument.getKey().equals(own)
                      && spec.fields().contains(argument.getKey())
                      && !spec.untyped().contains(argument.getKey()));
    }
  }

  /**
   * Leaves out of an element of a command's array what is null.
   *
   * @param element may be changed
   * @param untyped the fields of which null says something
   */
  public static BsonDocument leaveOut(BsonDocument element, Set<String> untyped) {
    if (hasNull(element)) {
      element
          .entrySet()
          .removeIf(field -> isNull(field.getValue()) && !untyped.contains(field.getKey()));
    }
    return element;
  }

  private static boolean hasNull(BsonDocument document) {
    for (BsonValue value : document.values()) {
      if (isNull(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNull(BsonValue value) {
    BsonType type = value.getBsonType();
    return type == BsonType.NULL || type == BsonType.UNDEFINED;
  }
}
