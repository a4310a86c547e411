// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files of the operating system. */
final class SystemDisk implements Disk {
  private static final boolean WINDOWS = java.io.File.separatorChar == '\\';

  @Override
  public DiskFile create(Path path) throws IOException {
    return new SystemFile(
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  @Override
  public DiskFile open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      channel.position(channel.size());
    } catch (IOException failure) {
      channel.close();
      throw failure;
    }
    return new SystemFile(channel);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void force(Path directory) throws IOException {
    if (WINDOWS) {
      return; // a directory cannot be opened there, and its names last without
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static final class SystemFile implements DiskFile {
    private final FileChannel channel;

    SystemFile(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }

    @Override
    public void read(ByteBuffer into, long position) throws IOException {
      long at = position;
      while (into.hasRemaining()) {
        int read = channel.read(into, at);
        if (read < 0) {
          return;
        }
        at += read;
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
      channel.position(size);
    }

    @Override
    public void force() throws IOException {
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
