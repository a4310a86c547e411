// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import io.fairlead.engine.durability.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A disk that is full, or takes its time, on demand. */
public final class HeldDisk implements Disk {
  private final Disk real = Disk.system();
  private final ReentrantReadWriteLock held = new ReentrantReadWriteLock();
  private volatile boolean full;

  public void fill() {
    full = true;
  }

  public void makeRoom() {
    full = false;
  }

  /** Whoever forces a file waits, until that is let go. To be let go by the same thread. */
  public void hold() {
    held.writeLock().lock();
  }

  public void letGo() {
    held.writeLock().unlock();
  }

  private void requireRoom() throws IOException {
    if (full) {
      throw new IOException("No space left on device");
    }
  }

  @Override
  public DiskFile create(Path path) throws IOException {
    requireRoom();
    return new Held(real.create(path));
  }

  @Override
  public DiskFile open(Path path) throws IOException {
    return new Held(real.open(path));
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    real.move(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    real.delete(path);
  }

  @Override
  public void force(Path directory) throws IOException {
    real.force(directory);
  }

  private final class Held implements DiskFile {
    private final DiskFile file;

    Held(DiskFile file) {
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      requireRoom();
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
      held.readLock().lock();
      try {
        file.force();
      } finally {
        held.readLock().unlock();
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
