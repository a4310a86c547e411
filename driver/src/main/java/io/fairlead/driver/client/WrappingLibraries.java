// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.MongoDriverInformation;
import io.fairlead.cluster.connection.WrappingLibrary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The libraries that a {@link MongoDriverInformation} tells of. It lists names, versions and
 * platforms apart and leaves out what a library did not say, so that of several libraries the first
 * name belongs to the first version. What servers are told is the same either way.
 */
final class WrappingLibraries {
  private WrappingLibraries() {}

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if a text has the {@code |} that separates several
   */
  static List<WrappingLibrary> of(MongoDriverInformation information) {
    List<String> names = information.getDriverNames();
    List<String> versions = information.getDriverVersions();
    List<String> platforms = information.getDriverPlatforms();
    int most = Math.max(names.size(), Math.max(versions.size(), platforms.size()));
    List<WrappingLibrary> libraries = new ArrayList<>(most);
    for (int i = 0; i < most; i++) {
      libraries.add(new WrappingLibrary(at(names, i), at(versions, i), at(platforms, i)));
    }
    return libraries;
  }

  private static @Nullable String at(List<String> texts, int index) {
    return index < texts.size() ? texts.get(index) : null;
  }
}
