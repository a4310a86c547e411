// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Compares observed events with expected ones. */
public final class Events {
  private final Matching matching;

  public Events(Matching matching) {
    this.matching = matching;
  }

  /**
   * Compares all events.
   *
   * @throws TestFailure when they are not these, in this order
   */
  public void match(List<BsonValue> expected, List<ObservedEvent> observed, boolean ignoreExtra) {
    if (observed.size() < expected.size() || (!ignoreExtra && observed.size() > expected.size())) {
      throw new TestFailure(
          "expected "
              + expected.size()
              + " events "
              + expected.stream().map(each -> each.asDocument().getFirstKey()).toList()
              + " but observed "
              + observed.size()
              + ": "
              + summary(observed));
    }
    for (int i = 0; i < expected.size(); i++) {
      one("event " + i, expected.get(i).asDocument(), observed.get(i));
    }
  }

  /** Whether an event is as expected. */
  public boolean matches(BsonDocument expected, ObservedEvent observed) {
    try {
      one("event", expected, observed);
      return true;
    } catch (TestFailure differs) {
      return false;
    }
  }

  private void one(String path, BsonDocument expected, ObservedEvent observed) {
    String name = expected.getFirstKey();
    if (!name.equals(observed.name())) {
      throw new TestFailure(
          path + ": expected " + Texts.of(expected) + " but observed " + text(observed));
    }
    expected
        .getDocument(name)
        .forEach((field, value) -> fact(path + " " + name + "." + field, field, value, observed));
  }

  private void fact(String path, String field, BsonValue expected, ObservedEvent observed) {
    BsonDocument facts = observed.facts();
    switch (field) {
      case "hasServiceId" -> present(path, expected, facts.containsKey("serviceId"));
      case "hasServerConnectionId" ->
          present(path, expected, facts.containsKey("serverConnectionId"));
      case "interruptInUseConnections" ->
          throw new NotInApiException("interruptInUseConnections of a cleared pool");
      default -> matching.root(path, expected, facts.get(field));
    }
  }

  private static void present(String path, BsonValue expected, boolean actual) {
    if (expected.asBoolean().getValue() != actual) {
      throw new TestFailure(path + ": expected " + expected.asBoolean().getValue());
    }
  }

  private static String summary(List<ObservedEvent> observed) {
    StringBuilder text = new StringBuilder();
    for (ObservedEvent each : observed) {
      text.append("\n      ").append(text(each));
      if (text.length() > 4_000) {
        return text.append("\n      …").toString();
      }
    }
    return text.toString();
  }

  private static String text(ObservedEvent event) {
    return event.name() + " " + Texts.of(event.facts());
  }
}
