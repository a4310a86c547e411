// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory that one process has for itself, and the names in it. {@link #open} makes it when it
 * is not there.
 */
final class DataDirectory implements AutoCloseable {
  private static final String FORMAT_FILE = "format";
  private static final String FORMAT = "fairlead data, format " + Frames.VERSION + "\n";
  private static final String JOURNAL = "journal-";
  private static final String CHECKPOINT = "checkpoint-";
  private static final String UNFINISHED = ".unfinished";
  private static final Pattern GENERATION = Pattern.compile("[1-9][0-9]{0,17}");

  /** A first journal, or a first checkpoint, in which there is nothing. */
  private static final long BEGUN_BYTES_MAX =
      Frames.HEAD_BYTES + Frames.BEFORE_CONTENT + Frames.AFTER_CONTENT;

  /**
   * What this process has open: the system lets a lock go when any descriptor of its file is
   * closed, so that the file must not even be opened a second time.
   */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Path real;
  private final FileChannel lockFile;
  private final FileLock lock;
  private final boolean untouched;

  private DataDirectory(Path path, Path real, FileChannel lockFile, FileLock lock)
      throws IOException {
    this.path = path;
    this.real = real;
    this.lockFile = lockFile;
    this.lock = lock;
    this.untouched = isUntouched();
  }

  /**
   * Takes the directory.
   *
   * @throws DataDirectoryException when another has it or its format is not this one
   */
  static DataDirectory open(Path path, Disk disk) throws IOException {
    create(path.toAbsolutePath(), disk);
    Path real = path.toRealPath();
    if (!OPEN.add(real)) {
      throw new DataDirectoryException(
          "the data directory " + path + " is open in this process already");
    }
    try {
      return lock(path, real);
    } catch (IOException | RuntimeException failure) {
      OPEN.remove(real);
      throw failure;
    }
  }

  /** Makes a directory, and those above it, so that their names last. */
  private static void create(Path path, Disk disk) throws IOException {
    if (Files.isDirectory(path)) {
      return;
    }
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new DataDirectoryException(path + " is not a directory");
    }
    Path above = path.getParent();
    if (above != null) {
      create(above, disk);
    }
    Files.createDirectories(path);
    if (above != null) {
      disk.force(above);
    }
  }

  private static DataDirectory lock(Path path, Path real) throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new DataDirectoryException(
            "the data directory " + path + " is in use by another process");
      }
      return new DataDirectory(path, real, channel, lock);
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
  }

  /**
   * Whether nothing was ever kept here.
   *
   * @throws DataDirectoryException when what is here is of another format, or something else
   */
  private boolean isUntouched() throws IOException {
    Path format = path.resolve(FORMAT_FILE);
    String found = Files.exists(format) ? beginning(format) : "";
    if (found.equals(FORMAT)) {
      return false;
    }
    Optional<Path> other = somethingElse();
    if (FORMAT.startsWith(found) && other.isEmpty()) {
      return true;
    }
    throw new DataDirectoryException(
        Files.exists(format)
            ? format + " says '" + found.strip() + "'; this version reads '" + FORMAT.strip() + "'"
            : path + " is not empty and not a data directory: it has " + other.orElse(format));
  }

  private static String beginning(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(2 * FORMAT.length()), StandardCharsets.UTF_8);
    }
  }

  /** A file that the beginning of a data directory does not leave. */
  private Optional<Path> somethingElse() throws IOException {
    Set<Path> begun =
        Set.of(path.resolve("lock"), path.resolve(FORMAT_FILE), unfinishedCheckpoint(1));
    for (Path file : list("")) {
      boolean first = file.equals(journal(1)) || file.equals(checkpoint(1));
      if (!begun.contains(file) && !(first && Files.size(file) <= BEGUN_BYTES_MAX)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /** Whether anything was ever kept in a directory; does not open it. */
  static boolean holdsSomething(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    List<Path> all;
    try (Stream<Path> files = Files.list(directory)) {
      all = files.toList();
    }
    for (Path file : all) {
      String name = file.getFileName().toString();
      boolean content =
          name.startsWith(JOURNAL) || (name.startsWith(CHECKPOINT) && !name.endsWith(UNFINISHED));
      if (content && Files.size(file) > BEGUN_BYTES_MAX) {
        return true;
      }
    }
    return false;
  }

  /** Whether there is nothing in it yet. */
  boolean isNew() {
    return untouched;
  }

  /** From now on there is something that may be missed. */
  void writeFormat(Disk disk) throws IOException {
    try (Disk.DiskFile file = disk.create(path.resolve(FORMAT_FILE))) {
      file.write(ByteBuffer.wrap(FORMAT.getBytes(StandardCharsets.UTF_8)));
      file.force();
    }
    disk.force(path);
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

  /** Takes away what a newer checkpoint has made superfluous. */
  void forgetBefore(Disk disk, long newestGeneration) throws IOException {
    for (long old : checkpoints()) {
      if (old < newestGeneration) {
        disk.delete(checkpoint(old));
      }
    }
    for (long old : journals()) {
      if (old < newestGeneration) {
        disk.delete(journal(old));
      }
    }
  }

  /** Checkpoints that were not written to their end. */
  List<Path> unfinished() throws IOException {
    return list(CHECKPOINT).stream().filter(file -> file.toString().endsWith(UNFINISHED)).toList();
  }

  private List<Long> generations(String prefix) throws IOException {
    return list(prefix).stream()
        .map(file -> file.getFileName().toString().substring(prefix.length()))
        .filter(number -> GENERATION.matcher(number).matches())
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
    try {
      lock.release();
      lockFile.close();
    } finally {
      OPEN.remove(real);
    }
  }
}
