// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A disk that fails on demand, half-way through a write where it can. */
public final class FailingDisk implements Disk {
  private final Disk real = Disk.system();

  /** What writes fail with; null while they do not. */
  public volatile @Nullable String writesFail;

  /** What forcing fails with; null while it does not. */
  public volatile @Nullable String forcesFail;

  /** What forcing a directory and deleting fail with; null while they do not. */
  public volatile @Nullable String directoriesFail;

  private static void failIf(@Nullable String message) throws IOException {
    if (message != null) {
      throw new IOException(message);
    }
  }

  @Override
  public DiskFile create(Path path) throws IOException {
    failIf(writesFail);
    return new Failing(real.create(path));
  }

  @Override
  public DiskFile open(Path path) throws IOException {
    return new Failing(real.open(path));
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    failIf(writesFail);
    real.move(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    failIf(directoriesFail);
    real.delete(path);
  }

  @Override
  public void force(Path directory) throws IOException {
    failIf(directoriesFail);
    real.force(directory);
  }

  private final class Failing implements DiskFile {
    private final DiskFile file;

    Failing(DiskFile file) {
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      if (writesFail != null) {
        file.write(bytes.slice(bytes.position(), bytes.remaining() / 2));
        failIf(writesFail);
      }
      file.write(bytes);
    }

    @Override
    public void read(ByteBuffer into, long position) throws IOException {
      file.read(into, position);
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      failIf(forcesFail);
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
