// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo;

import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * One promise, and whether it was kept.
 *
 * @param promise the row of the list of promises, such as A9
 * @param what in words, with its bound
 * @param measured what was seen
 */
public record Claim(String promise, String what, String measured, boolean held) {

  BsonDocument toDocument() {
    return new BsonDocument("promise", new BsonString(promise))
        .append("what", new BsonString(what))
        .append("measured", new BsonString(measured))
        .append("held", BsonBoolean.valueOf(held));
  }
}
