// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.handshake;

import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.Failures;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The {@code client} document of a handshake: checked as MongoDB does, and read for the
 * application's name.
 */
final class ClientMetadata {
  private static final int DOCUMENT_BYTES_MAX = 512;
  private static final int APPLICATION_NAME_BYTES_MAX = 128;

  private ClientMetadata() {}

  /**
   * The name of the application, or null; refuses metadata without what is required, or too long.
   */
  static @Nullable String applicationName(BsonDocument client) {
    if (bytes(client) > DOCUMENT_BYTES_MAX) {
      throw Failures.of(
          185,
          "The client metadata document must be less then or equal to "
              + DOCUMENT_BYTES_MAX
              + " bytes");
    }
    BsonDocument driver = required(client, "driver");
    requiredString(driver, "driver", "name");
    requiredString(driver, "driver", "version");
    requiredString(required(client, "os"), "os", "type");
    BsonDocument application = Arguments.optionalDocument(client, "application");
    BsonValue name = application == null ? null : application.get("name");
    if (name == null) {
      return null;
    }
    String text = Arguments.string("application.name", name);
    if (text.getBytes(StandardCharsets.UTF_8).length > APPLICATION_NAME_BYTES_MAX) {
      throw Failures.of(
          184,
          "The 'client.application.name' field must be less then or equal to "
              + APPLICATION_NAME_BYTES_MAX
              + " bytes");
    }
    return text;
  }

  private static int bytes(BsonDocument document) {
    RawBsonDocument raw =
        document instanceof RawBsonDocument given
            ? given
            : new RawBsonDocument(document, new BsonDocumentCodec());
    return raw.getByteBuffer().remaining();
  }

  private static BsonDocument required(BsonDocument client, String field) {
    BsonValue value = client.get(field);
    if (value == null) {
      throw Failures.of(
          183, "Missing required sub-document '" + field + "' in the client metadata document");
    }
    return Arguments.document("client." + field, value);
  }

  private static void requiredString(BsonDocument document, String parent, String field) {
    BsonValue value = document.get(field);
    if (value == null) {
      throw Failures.of(
          183,
          "Missing required field '"
              + field
              + "' in the client metadata's '"
              + parent
              + "' document");
    }
    Arguments.string("client." + parent + "." + field, value);
  }
}
