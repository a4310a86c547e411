// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of one specification. */
final class Suite {
  /** What is to happen with a file's tests. */
  enum Expectation {
    PASS,
    /** The file can be read, and its tests fail. */
    FAIL,
    /** The file is refused. */
    REFUSED
  }

  /**
   * @param name relative to the suite's folder, without the level {@code tests/} and the ending
   */
  record SpecFile(String name, Path path, Expectation expectation) {
    String text() {
      try {
        return Files.readString(path);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  private final String name;
  private final List<SpecFile> files;

  private Suite(String name, List<SpecFile> files) {
    this.name = name;
    this.files = files;
  }

  String name() {
    return name;
  }

  List<SpecFile> files() {
    return files;
  }

  /**
   * Finds a suite's files.
   *
   * @param specs a clone of the specifications' repository, its {@code source} folder, or a folder
   *     of suites
   */
  static Suite find(Path specs, String name) {
    for (Path root : List.of(specs, specs.resolve("source"))) {
      Path folder = root.resolve(name);
      if (Files.isDirectory(folder)) {
        return new Suite(name, files(folder));
      }
    }
    return new Suite(name, List.of());
  }

  /** The names of all suites that are there. */
  static List<String> names(Path specs) {
    Path root = Files.isDirectory(specs.resolve("source")) ? specs.resolve("source") : specs;
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .filter(Files::isDirectory)
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static List<SpecFile> files(Path folder) {
    List<SpecFile> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(each -> each.toString().endsWith(".json"))
          .sorted()
          .forEach(each -> files.add(file(folder, each)));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return List.copyOf(files);
  }

  private static SpecFile file(Path folder, Path path) {
    String relative = folder.relativize(path).toString().replace('\\', '/');
    String name = relative.substring(0, relative.length() - ".json".length());
    if (name.startsWith("tests/")) {
      name = name.substring("tests/".length());
    }
    return new SpecFile(name, path, expectation(name));
  }

  private static Expectation expectation(String name) {
    if (name.startsWith("valid-fail/")) {
      return Expectation.FAIL;
    }
    return name.startsWith("invalid/") ? Expectation.REFUSED : Expectation.PASS;
  }
}
