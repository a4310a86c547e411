// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import io.fairlead.conformance.unified.format.Version;
import io.fairlead.conformance.unified.match.Matching;
import io.fairlead.conformance.unified.match.Names;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Decides whether a deployment is one that a test asks for. */
final class Requirements {
  private static final Matching VALUES =
      new Matching(
          new Names() {
            @Override
            public BsonValue value(String name) {
              throw new TestFailure("requirements name no entities");
            }

            @Override
            public BsonDocument sessionId(String name) {
              throw new TestFailure("requirements name no sessions");
            }
          });

  private Requirements() {}

  /** Why a deployment is not one of these; empty when it is, or nothing is asked for. */
  static List<String> unmet(List<BsonDocument> any, TestDeployment deployment) {
    List<String> reasons = new ArrayList<>();
    for (BsonDocument each : any) {
      List<String> unmet = unmet(each, deployment);
      if (unmet.isEmpty()) {
        return List.of();
      }
      reasons.addAll(unmet);
    }
    return reasons;
  }

  /** Whether one of these may hold for a topology, without asking a server. */
  static boolean mayBe(List<BsonDocument> any, TopologyKind kind) {
    return any.isEmpty() || any.stream().anyMatch(each -> admits(each, kind));
  }

  private static boolean admits(BsonDocument requirement, TopologyKind kind) {
    return !requirement.containsKey("topologies")
        || requirement.getArray("topologies").stream()
            .map(each -> each.asString().getValue())
            .anyMatch(
                each ->
                    each.equals(kind.formatName())
                        || (each.equals("sharded-replicaset") && kind == TopologyKind.SHARDED));
  }

  private static List<String> unmet(BsonDocument requirement, TestDeployment deployment) {
    List<String> unmet = new ArrayList<>();
    for (Map.Entry<String, BsonValue> each : requirement.entrySet()) {
      if (!holds(each.getKey(), each.getValue(), requirement, deployment)) {
        unmet.add(each.getKey() + " " + text(each.getValue()));
      }
    }
    return unmet;
  }

  private static String text(BsonValue value) {
    if (value.isString()) {
      return value.asString().getValue();
    }
    if (value.isArray()) {
      return String.join("|", value.asArray().stream().map(Requirements::text).toList());
    }
    return value.isBoolean() ? Boolean.toString(value.asBoolean().getValue()) : value.toString();
  }

  private static boolean holds(
      String name, BsonValue wanted, BsonDocument requirement, TestDeployment deployment) {
    return switch (name) {
      case "minServerVersion" ->
          deployment.version().compareTo(Version.parse(wanted.asString().getValue())) >= 0;
      case "maxServerVersion" ->
          deployment.version().compareTo(Version.parse(wanted.asString().getValue())) <= 0;
      case "topologies" -> admits(requirement, deployment.kind());
      case "serverless" -> !wanted.asString().getValue().equals("require");
      case "serverParameters" ->
          wanted.asDocument().entrySet().stream()
              .allMatch(each -> isSet(each.getKey(), each.getValue(), deployment));
      case "auth" -> !wanted.asBoolean().getValue();
      case "authMechanism" -> false;
      case "csfle" -> wanted.isBoolean() && !wanted.asBoolean().getValue();
      default -> throw new TestFailure("unknown requirement " + name);
    };
  }

  private static boolean isSet(String name, BsonValue wanted, TestDeployment deployment) {
    BsonValue actual = deployment.parameter(name);
    try {
      VALUES.part(name, wanted, actual);
      return true;
    } catch (TestFailure differs) {
      return false;
    }
  }
}
