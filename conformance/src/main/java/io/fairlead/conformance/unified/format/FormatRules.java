// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

import static io.fairlead.conformance.unified.format.Shape.anything;
import static io.fairlead.conformance.unified.format.Shape.arrayOf;
import static io.fairlead.conformance.unified.format.Shape.bool;
import static io.fairlead.conformance.unified.format.Shape.document;
import static io.fairlead.conformance.unified.format.Shape.either;
import static io.fairlead.conformance.unified.format.Shape.fields;
import static io.fairlead.conformance.unified.format.Shape.filledArrayOf;
import static io.fairlead.conformance.unified.format.Shape.filledDocument;
import static io.fairlead.conformance.unified.format.Shape.integer;
import static io.fairlead.conformance.unified.format.Shape.isTrue;
import static io.fairlead.conformance.unified.format.Shape.later;
import static io.fairlead.conformance.unified.format.Shape.oneOf;
import static io.fairlead.conformance.unified.format.Shape.string;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What files of the unified test format, versions 1.0 to 1.28, may look like. */
final class FormatRules {
  private static final Shape VERSION = string(Pattern.compile("[0-9]+(\\.[0-9]+){1,2}"));

  private static final String[] COMMAND_EVENTS = {
    "commandStartedEvent", "commandSucceededEvent", "commandFailedEvent"
  };

  private static final String[] OBSERVABLE = {
    "commandStartedEvent",
    "commandSucceededEvent",
    "commandFailedEvent",
    "poolCreatedEvent",
    "poolReadyEvent",
    "poolClearedEvent",
    "poolClosedEvent",
    "connectionCreatedEvent",
    "connectionReadyEvent",
    "connectionClosedEvent",
    "connectionCheckOutStartedEvent",
    "connectionCheckOutFailedEvent",
    "connectionCheckedOutEvent",
    "connectionCheckedInEvent",
    "serverDescriptionChangedEvent",
    "serverHeartbeatStartedEvent",
    "serverHeartbeatSucceededEvent",
    "serverHeartbeatFailedEvent",
    "topologyDescriptionChangedEvent",
    "topologyOpeningEvent",
    "topologyClosedEvent"
  };

  private static final Shape REQUIREMENTS =
      filledArrayOf(
          fields()
              .may("maxServerVersion", VERSION)
              .may("minServerVersion", VERSION)
              .may(
                  "topologies",
                  filledArrayOf(
                      oneOf(
                          "single",
                          "replicaset",
                          "sharded",
                          "sharded-replicaset",
                          "load-balanced")))
              .may("serverless", oneOf("require", "forbid", "allow"))
              .may("serverParameters", filledDocument())
              .may("auth", bool())
              .may("authMechanism", string())
              .may(
                  "csfle",
                  either(bool(), fields().may("minLibmongocryptVersion", VERSION).atLeastOne()))
              .atLeastOne());

  private static final Shape KMS_PROVIDERS = kmsProviders();

  private static final Shape LOG_LEVEL =
      oneOf(
          "emergency", "alert", "critical", "error", "warning", "notice", "info", "debug", "trace");

  private static final String[] LOG_COMPONENTS = {
    "command", "topology", "serverSelection", "connection"
  };

  private static final Shape COMMON_OPTIONS =
      fields()
          .may("readConcern", document())
          .may("readPreference", document())
          .may("writeConcern", document())
          .may("timeoutMS", integer());

  private static final Shape ENTITY =
      fields()
          .may("client", client())
          .may(
              "clientEncryption",
              fields()
                  .must("id", string())
                  .must(
                      "clientEncryptionOpts",
                      fields()
                          .must("keyVaultClient", string())
                          .must("keyVaultNamespace", string())
                          .must("kmsProviders", KMS_PROVIDERS)
                          .may("keyExpirationMS", integer())))
          .may(
              "database",
              fields()
                  .must("id", string())
                  .must("client", string())
                  .must("databaseName", string())
                  .may("databaseOptions", COMMON_OPTIONS))
          .may(
              "collection",
              fields()
                  .must("id", string())
                  .must("database", string())
                  .must("collectionName", string())
                  .may("collectionOptions", COMMON_OPTIONS))
          .may(
              "session",
              fields()
                  .must("id", string())
                  .must("client", string())
                  .may("sessionOptions", document()))
          .may(
              "bucket",
              fields()
                  .must("id", string())
                  .must("database", string())
                  .may("bucketOptions", document()))
          .may("thread", fields().must("id", string()))
          .exactlyOne();

  private static final Shape COLLECTION_DATA =
      fields()
          .must("collectionName", string())
          .must("databaseName", string())
          .must("documents", arrayOf(document()))
          .may("createOptions", FormatRules::checkCreateOptions);

  private static final Shape EXPECTED_ERROR =
      fields()
          .may("isError", isTrue())
          .may("isClientError", bool())
          .may("isTimeoutError", bool())
          .may("errorContains", string())
          .may("errorCode", integer())
          .may("errorCodeName", string())
          .may("errorLabelsContain", filledArrayOf(string()))
          .may("errorLabelsOmit", filledArrayOf(string()))
          .may("writeErrors", document())
          .may("writeConcernErrors", arrayOf(document()))
          .may("errorResponse", document())
          .may("expectResult", anything())
          .atLeastOne();

  private static final Shape OPERATION =
      fields()
          .must("name", string())
          .must("object", string())
          .may("arguments", document())
          .may("ignoreResultAndError", bool())
          .may("expectError", EXPECTED_ERROR)
          .may("expectResult", anything())
          .may("saveResultAsEntity", string());

  private static final Shape EXPECTED_LOG_MESSAGE =
      fields()
          .must("level", LOG_LEVEL)
          .must("component", oneOf(LOG_COMPONENTS))
          .must("data", document())
          .may("failureIsRedacted", bool());

  private static final Shape TEST =
      fields()
          .must("description", string())
          .must("operations", arrayOf(FormatRules::checkOperation))
          .may("runOnRequirements", REQUIREMENTS)
          .may("skipReason", string())
          .may("expectEvents", filledArrayOf(FormatRules::checkExpectedEvents))
          .may(
              "expectLogMessages",
              filledArrayOf(
                  fields()
                      .must("client", string())
                      .must("messages", arrayOf(EXPECTED_LOG_MESSAGE))
                      .may("ignoreExtraMessages", bool())
                      .may("ignoreMessages", arrayOf(EXPECTED_LOG_MESSAGE))))
          .may(
              "expectTracingMessages",
              filledArrayOf(
                  fields()
                      .must("client", string())
                      .must("spans", filledArrayOf(span()))
                      .may("ignoreExtraSpans", bool())))
          .may("outcome", filledArrayOf(COLLECTION_DATA));

  private static final Shape FILE =
      fields()
          .must("description", string())
          .must("schemaVersion", VERSION)
          .must("tests", filledArrayOf(TEST))
          .may("runOnRequirements", REQUIREMENTS)
          .may("createEntities", filledArrayOf(ENTITY))
          .may("initialData", filledArrayOf(COLLECTION_DATA))
          .may("_yamlAnchors", document());

  private FormatRules() {}

  /**
   * @throws InvalidFileException naming the first thing that is not as the format has it
   */
  static void check(BsonDocument file) {
    FILE.check("file", file);
  }

  /**
   * The version that a file says it is of.
   *
   * @throws InvalidFileException when it names none
   */
  static Version version(BsonDocument file) {
    BsonValue version = file.get("schemaVersion");
    if (version == null) {
      throw new InvalidFileException("file must have the field 'schemaVersion'");
    }
    VERSION.check("file.schemaVersion", version);
    return Version.parse(version.asString().getValue());
  }

  private static Shape client() {
    return fields()
        .must("id", string())
        .may("uriOptions", document())
        .may("useMultipleMongoses", bool())
        .may("observeEvents", filledArrayOf(oneOf(OBSERVABLE)))
        .may("ignoreCommandMonitoringEvents", filledArrayOf(string()))
        .may("observeSensitiveCommands", bool())
        .may("storeEventsAsEntities", filledArrayOf(document()))
        .may("observeLogMessages", observedLogMessages())
        .may("observeTracingMessages", fields().may("enableCommandPayload", bool()))
        .may(
            "serverApi",
            fields()
                .must("version", string())
                .may("strict", bool())
                .may("deprecationErrors", bool()))
        .may(
            "autoEncryptOpts",
            fields()
                .must("keyVaultNamespace", string())
                .must("kmsProviders", KMS_PROVIDERS)
                .may("bypassAutoEncryption", bool())
                .may("schemaMap", document())
                .may("extraOptions", document())
                .may("encryptedFieldsMap", document())
                .may("bypassQueryAnalysis", bool())
                .may("keyExpirationMS", integer()))
        .may("awaitMinPoolSizeMS", integer());
  }

  private static Shape observedLogMessages() {
    Shape.Fields components = fields();
    for (String component : LOG_COMPONENTS) {
      components.may(component, LOG_LEVEL);
    }
    return components.atLeastOne();
  }

  private static Shape kmsProviders() {
    Shape text = either(string(), fields().must("$$placeholder", anything()));
    Shape token = fields().must("accessToken", text);
    return fields()
        .may(
            provider("aws"),
            fields()
                .may("accessKeyId", text)
                .may("secretAccessKey", text)
                .may("sessionToken", text))
        .may(
            provider("azure"),
            either(
                token,
                fields()
                    .may("tenantId", text)
                    .may("clientId", text)
                    .may("clientSecret", text)
                    .may("identityPlatformEndpoint", text)))
        .may(
            provider("gcp"),
            either(
                token, fields().may("email", text).may("privateKey", text).may("endpoint", text)))
        .may(provider("kmip"), fields().may("endpoint", text))
        .may(provider("local"), fields().may("key", text));
  }

  private static Pattern provider(String name) {
    return Pattern.compile(name + "(:[a-zA-Z0-9_]+)?");
  }

  private static Shape span() {
    return fields()
        .must("name", string())
        .must("attributes", document())
        .may("nested", later(() -> filledArrayOf(span())));
  }

  private static void checkCreateOptions(String path, BsonValue value) {
    document().check(path, value);
    if (value.asDocument().containsKey("writeConcern")) {
      throw new InvalidFileException(path + " must not have a writeConcern");
    }
  }

  private static void checkOperation(String path, BsonValue value) {
    OPERATION.check(path, value);
    BsonDocument operation = value.asDocument();
    for (String expected : List.of("expectResult", "saveResultAsEntity")) {
      forbidBoth(path, operation, "expectError", expected);
      forbidBoth(path, operation, "ignoreResultAndError", expected);
    }
    forbidBoth(path, operation, "ignoreResultAndError", "expectError");
    if (operation.containsKey("arguments")) {
      checkNested(
          path + ".arguments",
          operation.getString("name").getValue(),
          operation.getDocument("arguments"));
    }
  }

  /** What the arguments of a few operations hold is of this format again. */
  private static void checkNested(String path, String name, BsonDocument arguments) {
    switch (name) {
      case "runOnThread" ->
          checkArgument(path, arguments, "operation", FormatRules::checkOperation);
      case "withTransaction" ->
          checkArgument(path, arguments, "callback", arrayOf(FormatRules::checkOperation));
      case "loop" ->
          checkArgument(path, arguments, "operations", arrayOf(FormatRules::checkOperation));
      case "createEntities" -> checkArgument(path, arguments, "entities", arrayOf(ENTITY));
      default -> {} // its arguments are the operation's own
    }
  }

  private static void checkArgument(String path, BsonDocument arguments, String name, Shape shape) {
    BsonValue argument = arguments.get(name);
    if (argument != null) {
      shape.check(path + "." + name, argument);
    }
  }

  private static void forbidBoth(String path, BsonDocument document, String one, String other) {
    if (document.containsKey(one) && document.containsKey(other)) {
      throw new InvalidFileException(path + " must not have both " + one + " and " + other);
    }
  }

  private static void checkExpectedEvents(String path, BsonValue value) {
    fields()
        .must("client", string())
        .must("events", arrayOf(anything()))
        .may("eventType", oneOf("command", "cmap", "sdam"))
        .may("ignoreExtraEvents", bool())
        .check(path, value);
    BsonDocument expected = value.asDocument();
    String type =
        expected.containsKey("eventType") ? expected.getString("eventType").getValue() : "command";
    arrayOf(eventOf(type)).check(path + ".events", expected.getArray("events"));
  }

  private static Shape eventOf(String type) {
    return switch (type) {
      case "command" -> commandEvent();
      case "cmap" -> poolEvent();
      case "sdam" -> discoveryEvent();
      default -> throw new InvalidFileException("there are no events of type " + type);
    };
  }

  private static Shape commandEvent() {
    Shape.Fields events = fields();
    for (String name : COMMAND_EVENTS) {
      Shape.Fields event =
          fields()
              .may("commandName", string())
              .may("databaseName", string())
              .may("hasServiceId", bool())
              .may("hasServerConnectionId", bool());
      if (name.toLowerCase(Locale.ROOT).contains("started")) {
        event.may("command", document());
      }
      if (name.toLowerCase(Locale.ROOT).contains("succeeded")) {
        event.may("reply", document());
      }
      events.may(name, event);
    }
    return events.exactlyOne();
  }

  private static Shape poolEvent() {
    Shape reasoned = fields().may("reason", string());
    return fields()
        .may("poolCreatedEvent", fields())
        .may("poolReadyEvent", fields())
        .may(
            "poolClearedEvent",
            fields().may("hasServiceId", bool()).may("interruptInUseConnections", bool()))
        .may("poolClosedEvent", fields())
        .may("connectionCreatedEvent", fields())
        .may("connectionReadyEvent", fields())
        .may("connectionClosedEvent", reasoned)
        .may("connectionCheckOutStartedEvent", fields())
        .may("connectionCheckOutFailedEvent", reasoned)
        .may("connectionCheckedOutEvent", fields())
        .may("connectionCheckedInEvent", fields())
        .exactlyOne();
  }

  private static Shape discoveryEvent() {
    Shape server =
        fields()
            .may(
                "type",
                oneOf(
                    "Standalone",
                    "Mongos",
                    "PossiblePrimary",
                    "RSPrimary",
                    "RSSecondary",
                    "RSOther",
                    "RSArbiter",
                    "RSGhost",
                    "LoadBalancer",
                    "Unknown"));
    Shape topology =
        fields()
            .may(
                "type",
                oneOf(
                    "Single",
                    "Unknown",
                    "ReplicaSetNoPrimary",
                    "ReplicaSetWithPrimary",
                    "Sharded",
                    "LoadBalanced"));
    Shape heartbeat = fields().may("awaited", bool());
    return fields()
        .may("serverDescriptionChangedEvent", changed(server))
        .may("topologyDescriptionChangedEvent", changed(topology))
        .may("serverHeartbeatStartedEvent", heartbeat)
        .may("serverHeartbeatSucceededEvent", heartbeat)
        .may("serverHeartbeatFailedEvent", heartbeat)
        .may("topologyOpeningEvent", fields())
        .may("topologyClosedEvent", fields())
        .exactlyOne();
  }

  private static Shape changed(Shape description) {
    return fields().may("previousDescription", description).may("newDescription", description);
  }
}
