// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.foreign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds, and where it may installs, what the scripts need: npm packages below {@code target}, a
 * Debian package as root.
 */
final class Tools {
  private static final long INSTALL_MINUTES = 10;

  private final Path npmFolder;

  Tools(Path npmFolder) {
    this.npmFolder = npmFolder;
  }

  /** A tool that is there, or why it is not. */
  sealed interface Found {
    record Here() implements Found {}

    record Missing(String why) implements Found {}
  }

  /** The folder that has {@code node_modules}. */
  Path npmFolder() {
    return npmFolder;
  }

  /** Brings an npm package of that version. */
  Found npm(String name, String version) throws InterruptedException {
    if (!onPath("node") || !onPath("npm")) {
      return new Found.Missing("node and npm are not installed");
    }
    Path installed = npmFolder.resolve("node_modules").resolve(name).resolve("package.json");
    if (hasVersion(installed, version)) {
      return new Found.Here();
    }
    try {
      Files.createDirectories(npmFolder);
      if (!Files.exists(npmFolder.resolve("package.json"))) {
        Files.writeString(npmFolder.resolve("package.json"), "{\"private\": true}\n");
      }
    } catch (IOException unwritable) {
      return new Found.Missing(unwritable.toString());
    }
    Path log = npmFolder.resolve("install-" + name + ".log");
    int exit =
        run(
            npmFolder,
            log,
            List.of("npm", "install", "--no-audit", "--no-fund", name + "@" + version));
    return exit == 0 && hasVersion(installed, version)
        ? new Found.Here()
        : new Found.Missing("npm install " + name + "@" + version + " failed, see " + log);
  }

  /** Finds a Python that has PyMongo, installing Debian's package when this is root on a Debian. */
  Found pymongo(Path log) throws InterruptedException {
    if (python().isPresent()) {
      return new Found.Here();
    }
    if (!onPath("apt-get") || !"root".equals(System.getProperty("user.name"))) {
      return new Found.Missing(
          "no python3 with pymongo, and it takes root and apt-get to install python3-pymongo");
    }
    int exit =
        run(npmFolder.getParent(), log, List.of("apt-get", "install", "-y", "python3-pymongo"));
    return python().isPresent()
        ? new Found.Here()
        : new Found.Missing(
            "apt-get install python3-pymongo failed (exit " + exit + "), see " + log);
  }

  /** The Python that has PyMongo. */
  Optional<String> python() throws InterruptedException {
    for (String candidate : List.of("/usr/bin/python3", "python3")) {
      if (run(null, null, List.of(candidate, "-c", "import pymongo")) == 0) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private static boolean hasVersion(Path packageFile, String version) {
    try {
      return Files.exists(packageFile)
          && Files.readString(packageFile).contains("\"version\": \"" + version + "\"");
    } catch (IOException unreadable) {
      return false; // it is installed anew
    }
  }

  private static boolean onPath(String program) throws InterruptedException {
    return run(null, null, List.of("sh", "-c", "command -v " + program)) == 0;
  }

  /** The exit status; 127 where the program could not be started or did not end in time. */
  private static int run(@Nullable Path folder, @Nullable Path log, List<String> command)
      throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(
        log == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(log.toFile()));
    if (folder != null) {
      builder.directory(folder.toFile());
    }
    try {
      Process process = builder.start();
      if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return 127;
      }
      return process.exitValue();
    } catch (IOException absent) {
      return 127;
    }
  }
}
