// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Collation;
import io.fairlead.conformance.unified.entity.Entities;
import io.fairlead.conformance.unified.entity.Options;
import io.fairlead.conformance.unified.match.NotInApiException;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** An operation's arguments. Notes which were read, so that what nobody knows is not ignored. */
final class Args {
  private final BsonDocument arguments;
  private final Entities entities;
  private final Set<String> read = new HashSet<>();

  Args(BsonDocument arguments, Entities entities) {
    this.arguments = arguments;
    this.entities = entities;
    if (arguments.containsKey("rawData")) {
      throw new NotInApiException("the option rawData");
    }
  }

  /**
   * @throws TestFailure when an argument is there that the operation does not know
   */
  void requireAllRead() {
    Set<String> unknown = new TreeSet<>(arguments.keySet());
    unknown.removeAll(read);
    if (!unknown.isEmpty()) {
      throw new TestFailure("unknown arguments " + unknown);
    }
  }

  @Nullable BsonValue get(String name) {
    read.add(name);
    return arguments.get(name);
  }

  BsonValue required(String name) {
    BsonValue value = get(name);
    if (value == null) {
      throw new TestFailure("the argument '" + name + "' is missing");
    }
    return value;
  }

  BsonDocument document(String name) {
    BsonValue value = required(name);
    if (!value.isDocument()) {
      throw new TestFailure("the argument '" + name + "' must be an object");
    }
    return value.asDocument();
  }

  BsonDocument documentOrEmpty(String name) {
    return get(name) == null ? new BsonDocument() : document(name);
  }

  List<BsonDocument> documents(String name) {
    return required(name).asArray().stream().map(BsonValue::asDocument).toList();
  }

  List<BsonDocument> documentsOrNone(String name) {
    BsonValue value = get(name);
    return (value == null ? new BsonArray() : value.asArray())
        .stream().map(BsonValue::asDocument).toList();
  }

  String text(String name) {
    BsonValue value = required(name);
    if (!value.isString()) {
      throw new TestFailure("the argument '" + name + "' must be a string");
    }
    return value.asString().getValue();
  }

  long number(String name) {
    return required(name).asNumber().longValue();
  }

  void value(String name, Consumer<BsonValue> use) {
    BsonValue value = get(name);
    if (value != null) {
      use.accept(value);
    }
  }

  void text(String name, Consumer<String> use) {
    value(name, value -> use.accept(value.asString().getValue()));
  }

  void flag(String name, Consumer<Boolean> use) {
    value(name, value -> use.accept(value.asBoolean().getValue()));
  }

  void number(String name, LongConsumer use) {
    value(name, value -> use.accept(value.asNumber().longValue()));
  }

  void document(String name, Consumer<BsonDocument> use) {
    value(name, value -> use.accept(value.asDocument()));
  }

  void documents(String name, Consumer<List<BsonDocument>> use) {
    value(name, value -> use.accept(value.asArray().stream().map(BsonValue::asDocument).toList()));
  }

  void collation(Consumer<Collation> use) {
    document("collation", options -> use.accept(Options.collation(options)));
  }

  /** An index by its name or by its key. */
  void hint(Consumer<String> byName, Consumer<BsonDocument> byKey) {
    value(
        "hint",
        hint -> {
          if (hint.isString()) {
            byName.accept(hint.asString().getValue());
          } else {
            byKey.accept(hint.asDocument());
          }
        });
  }

  @Nullable ClientSession session() {
    BsonValue name = get("session");
    return name == null ? null : entities.session(name.asString().getValue()).session();
  }

  Entities entities() {
    return entities;
  }
}
