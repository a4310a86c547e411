// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import org.jspecify.annotations.Nullable;

/**
 * A library that uses a client on behalf of an application, as it wants to be known to servers.
 *
 * @param name its name; null: not told
 * @param version its version; null: not told
 * @param platform what it runs on; null: not told
 */
public record WrappingLibrary(
    @Nullable String name, @Nullable String version, @Nullable String platform) {

  public WrappingLibrary {
    requireNoDelimiter("name", name);
    requireNoDelimiter("version", version);
    requireNoDelimiter("platform", platform);
  }

  private static void requireNoDelimiter(String what, @Nullable String text) {
    if (text != null && text.indexOf('|') >= 0) {
      throw new IllegalArgumentException(
          "the " + what + " of a wrapping library has no '|', which separates several: " + text);
    }
  }
}
