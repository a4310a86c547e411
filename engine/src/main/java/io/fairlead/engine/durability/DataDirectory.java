// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory that one process has for itself, and the names in it. {@link #open} makes it when it
 * is not there.
 */
final class DataDirectory implements AutoCloseable {
  private static final String FORMAT = "fairlead data, format " + Frames.VERSION + "\n";
  private static final String JOURNAL = "journal-";
  private static final String CHECKPOINT = "checkpoint-";
  private static final String UNFINISHED = ".unfinished";

  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;

  private DataDirectory(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Takes the directory.
   *
   * @throws DataDirectoryException when another has it or its format is not this one
   */
  static DataDirectory open(Path path) throws IOException {
    Files.createDirectories(path);
    FileChannel channel =
        FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = lock(path, channel);
      DataDirectory directory = new DataDirectory(path, channel, lock);
      directory.requireFormat();
      return directory;
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
  }

  private static FileLock lock(Path path, FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException here) {
      throw new DataDirectoryException(
          "the data directory " + path + " is open in this process already", here);
    }
    if (lock == null) {
      throw new DataDirectoryException(
          "the data directory " + path + " is in use by another process");
    }
    return lock;
  }

  private void requireFormat() throws IOException {
    Path format = path.resolve("format");
    if (Files.exists(format)) {
      String found = Files.readString(format, StandardCharsets.UTF_8);
      if (!found.equals(FORMAT)) {
        throw new DataDirectoryException(
            "the data directory "
                + path
                + " says '"
                + found.strip()
                + "'; this version reads '"
                + FORMAT.strip()
                + "'");
      }
      return;
    }
    List<Path> others = list("");
    others.remove(path.resolve("lock"));
    if (!others.isEmpty()) {
      throw new DataDirectoryException(
          path + " is not empty and not a data directory: it has " + others.getFirst());
    }
    Files.writeString(format, FORMAT, StandardCharsets.UTF_8);
  }

  Path path() {
    return path;
  }

  Path journal(long generation) {
    return path.resolve(JOURNAL + generation);
  }

  Path checkpoint(long generation) {
    return path.resolve(CHECKPOINT + generation);
  }

  Path unfinishedCheckpoint(long generation) {
    return path.resolve(CHECKPOINT + generation + UNFINISHED);
  }

  /** The generations of which there is a journal, ascending. */
  List<Long> journals() throws IOException {
    return generations(JOURNAL);
  }

  /** The generations of which there is a whole checkpoint, ascending. */
  List<Long> checkpoints() throws IOException {
    return generations(CHECKPOINT);
  }

  /** Checkpoints that were not written to their end. */
  List<Path> unfinished() throws IOException {
    return list(CHECKPOINT).stream().filter(file -> file.toString().endsWith(UNFINISHED)).toList();
  }

  private List<Long> generations(String prefix) throws IOException {
    return list(prefix).stream()
        .map(file -> file.getFileName().toString().substring(prefix.length()))
        .filter(number -> number.chars().allMatch(Character::isDigit) && !number.isEmpty())
        .map(Long::valueOf)
        .sorted()
        .toList();
  }

  private List<Path> list(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return new java.util.ArrayList<>(
          files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList());
    }
  }

  @Override
  public void close() throws IOException {
    lock.release();
    lockFile.close();
  }
}
