// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The {@code client} document of a handshake: who connects, from what. At most 512 bytes, as
 * servers ask; what matters least is left out first. Follows MongoDB's handshake specification.
 */
final class ClientMetadata {
  private static final int BYTES_MAX = 512;
  private static final int APPLICATION_NAME_BYTES_MAX = 128;

  private ClientMetadata() {}

  static BsonDocument of(@Nullable String applicationName) {
    if (applicationName != null
        && applicationName.getBytes(StandardCharsets.UTF_8).length > APPLICATION_NAME_BYTES_MAX) {
      throw new IllegalArgumentException(
          "an application name has at most 128 bytes, was " + applicationName);
    }
    String platform = "Java/" + property("java.vendor") + "/" + property("java.runtime.version");
    BsonDocument os =
        new BsonDocument("type", new BsonString(osType()))
            .append("name", new BsonString(property("os.name")))
            .append("architecture", new BsonString(property("os.arch")))
            .append("version", new BsonString(property("os.version")));
    BsonDocument whole = assemble(applicationName, os, platform);
    if (size(whole) <= BYTES_MAX) {
      return whole;
    }
    BsonDocument shorterOs = new BsonDocument("type", new BsonString(osType()));
    BsonDocument shorter = assemble(applicationName, shorterOs, platform);
    return size(shorter) <= BYTES_MAX ? shorter : assemble(applicationName, shorterOs, null);
  }

  private static BsonDocument assemble(
      @Nullable String applicationName, BsonDocument os, @Nullable String platform) {
    BsonDocument metadata = new BsonDocument();
    if (applicationName != null) {
      metadata.append("application", new BsonDocument("name", new BsonString(applicationName)));
    }
    metadata.append(
        "driver",
        new BsonDocument("name", new BsonString("fairlead"))
            .append("version", new BsonString(version())));
    metadata.append("os", os);
    if (platform != null) {
      metadata.append("platform", new BsonString(platform));
    }
    return metadata;
  }

  private static String version() {
    String version = ClientMetadata.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static String osType() {
    String name = property("os.name").toLowerCase(Locale.ROOT);
    if (name.startsWith("linux")) {
      return "Linux";
    }
    if (name.startsWith("mac")) {
      return "Darwin";
    }
    return name.startsWith("windows") ? "Windows" : "unknown";
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }

  private static int size(BsonDocument document) {
    return new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer().remaining();
  }
}
