// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The compressors of OP_COMPRESSED, by their identifiers on the wire. Zlib is the JDK's; the other
 * two need their optional jars.
 */
public enum Compressor {
  SNAPPY(1, "org.xerial.snappy.Snappy"),
  ZLIB(2, null),
  ZSTD(3, "com.github.luben.zstd.Zstd");

  private static final List<Compressor> AVAILABLE = findAvailable();

  private final int id;
  private final @Nullable String implementation;

  Compressor(int id, @Nullable String implementation) {
    this.id = id;
    this.implementation = implementation;
  }

  /** The compressors that work in this JVM. */
  public static List<Compressor> available() {
    return AVAILABLE;
  }

  /** The compressor with this identifier on the wire, or null when there is none. */
  public static @Nullable Compressor ofId(int id) {
    return switch (id) {
      case 1 -> SNAPPY;
      case 2 -> ZLIB;
      case 3 -> ZSTD;
      default -> null;
    };
  }

  /**
   * The compressor of this name in the handshake, such as {@code zlib}, or null when there is none.
   */
  public static @Nullable Compressor named(String name) {
    for (Compressor compressor : values()) {
      if (compressor.wireName().equals(name)) {
        return compressor;
      }
    }
    return null;
  }

  /** The identifier on the wire. */
  public int id() {
    return id;
  }

  /** The name in the handshake's {@code compression} array and in connection strings. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it works in this JVM. */
  public boolean isAvailable() {
    return AVAILABLE.contains(this);
  }

  private static List<Compressor> findAvailable() {
    List<Compressor> found = new ArrayList<>();
    for (Compressor compressor : values()) {
      if (compressor.implementation == null || isPresent(compressor.implementation)) {
        found.add(compressor);
      }
    }
    return List.copyOf(found);
  }

  private static boolean isPresent(String className) {
    try {
      Class.forName(className, false, Compressor.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException absent) {
      return false; // the jar is optional
    }
  }
}
