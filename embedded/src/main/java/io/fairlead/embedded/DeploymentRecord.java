// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.engine.durability.DataDirectoryException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Says in a data directory whose data it is, so that another deployment does not begin beside it as
 * if it were empty.
 */
final class DeploymentRecord {
  private static final String FILE = "deployment";
  private static final int BYTES_MAX = 10_000;

  private DeploymentRecord() {}

  /**
   * Requires that the directory is this deployment's, or is nobody's yet and becomes it.
   *
   * @param deployment what it is, in words
   * @param servers the directories that it has below
   * @throws DataDirectoryException when it is another's, holds something else, or cannot be used
   */
  static void require(Path directory, String deployment, Set<String> servers) {
    String expected = "fairlead deployment, format 1: " + deployment + "\n";
    try {
      create(directory);
      Path file = directory.resolve(FILE);
      String found = Files.exists(file) ? read(file) : "";
      if (found.equals(expected)) {
        return;
      }
      if (!expected.startsWith(found)) {
        throw new DataDirectoryException(
            file + " says '" + found.strip() + "', and this is '" + expected.strip() + "'");
      }
      requireNothingElse(directory, servers);
      Files.writeString(file, expected);
    } catch (IOException fault) {
      throw DataDirectoryException.of(directory, fault);
    }
  }

  private static void create(Path directory) throws IOException {
    for (Path path = directory.toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        if (!Files.isDirectory(path)) {
          throw new DataDirectoryException(path + " is not a directory");
        }
        break;
      }
    }
    Files.createDirectories(directory);
  }

  private static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8);
    }
  }

  private static void requireNothingElse(Path directory, Set<String> servers) throws IOException {
    Optional<Path> other;
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> all = files.sorted().toList();
      other =
          all.stream()
              .filter(each -> !each.equals(directory.resolve(FILE)))
              .filter(each -> !servers.contains(each.getFileName().toString()))
              .findFirst();
    }
    if (other.isPresent()) {
      throw new DataDirectoryException(
          directory + " is not empty and not a data directory: it has " + other.get());
    }
  }
}
