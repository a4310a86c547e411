// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The {@code client} document of a handshake: who connects, from what, and which libraries wrap the
 * client. At most 512 bytes, as servers ask; what matters least is left out first. Follows
 * MongoDB's handshake specification. Any thread may call.
 */
public final class ClientMetadata {
  private static final int BYTES_MAX = 512;
  private static final int APPLICATION_NAME_BYTES_MAX = 128;
  private static final String DELIMITER = "|";

  /** What is told now, and of which libraries. */
  private record Told(List<WrappingLibrary> libraries, BsonDocument document) {}

  private final @Nullable String applicationName;
  private final AtomicReference<Told> told;

  /**
   * @param applicationName as the server logs it; null: none
   * @throws IllegalArgumentException if the name is longer than 128 bytes
   */
  public ClientMetadata(@Nullable String applicationName) {
    if (applicationName != null
        && applicationName.getBytes(StandardCharsets.UTF_8).length > APPLICATION_NAME_BYTES_MAX) {
      throw new IllegalArgumentException(
          "an application name has at most 128 bytes, was " + applicationName);
    }
    this.applicationName = applicationName;
    this.told = new AtomicReference<>(telling(List.of()));
  }

  /**
   * Adds a library to what connections opened from now on tell; one that is there already is not.
   */
  public void append(WrappingLibrary library) {
    told.updateAndGet(
        now -> {
          if (now.libraries().contains(library)) {
            return now;
          }
          List<WrappingLibrary> more = new ArrayList<>(now.libraries());
          more.add(library);
          return telling(more);
        });
  }

  /** The document as it is now; not to be changed. */
  BsonDocument document() {
    return told.get().document();
  }

  private Told telling(List<WrappingLibrary> libraries) {
    return new Told(List.copyOf(libraries), fitting(libraries));
  }

  private BsonDocument fitting(List<WrappingLibrary> libraries) {
    String platform =
        joined(
            "Java/" + property("java.vendor") + "/" + property("java.runtime.version"),
            libraries,
            WrappingLibrary::platform);
    BsonDocument os =
        new BsonDocument("type", new BsonString(osType()))
            .append("name", new BsonString(property("os.name")))
            .append("architecture", new BsonString(property("os.arch")))
            .append("version", new BsonString(property("os.version")));
    BsonDocument whole = assemble(libraries, os, platform);
    if (size(whole) <= BYTES_MAX) {
      return whole;
    }
    BsonDocument shorterOs = new BsonDocument("type", new BsonString(osType()));
    BsonDocument shorter = assemble(libraries, shorterOs, platform);
    int excess = size(shorter) - BYTES_MAX;
    if (excess <= 0) {
      return shorter;
    }
    BsonDocument cut = assemble(libraries, shorterOs, truncated(platform, excess));
    return size(cut) <= BYTES_MAX ? cut : assemble(List.of(), shorterOs, null);
  }

  /** A text that is at least some bytes shorter; null when nothing is left of it. */
  private static @Nullable String truncated(String text, int bytes) {
    int end = text.length();
    int left = bytes;
    while (left > 0 && end > 0) {
      int codePoint = text.codePointBefore(end);
      end -= Character.charCount(codePoint);
      left -= Character.toString(codePoint).getBytes(StandardCharsets.UTF_8).length;
    }
    return end == 0 ? null : text.substring(0, end);
  }

  private BsonDocument assemble(
      List<WrappingLibrary> libraries, BsonDocument os, @Nullable String platform) {
    BsonDocument metadata = new BsonDocument();
    if (applicationName != null) {
      metadata.append("application", new BsonDocument("name", new BsonString(applicationName)));
    }
    String name = joined("fairlead", libraries, WrappingLibrary::name);
    String version = joined(version(), libraries, WrappingLibrary::version);
    metadata.append(
        "driver",
        new BsonDocument("name", new BsonString(name)).append("version", new BsonString(version)));
    metadata.append("os", os);
    if (platform != null) {
      metadata.append("platform", new BsonString(platform));
    }
    return metadata;
  }

  private static String joined(
      String own,
      List<WrappingLibrary> libraries,
      Function<WrappingLibrary, @Nullable String> part) {
    StringBuilder joined = new StringBuilder(own);
    for (WrappingLibrary library : libraries) {
      String text = part.apply(library);
      if (text != null) {
        joined.append(DELIMITER).append(text);
      }
    }
    return joined.toString();
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
