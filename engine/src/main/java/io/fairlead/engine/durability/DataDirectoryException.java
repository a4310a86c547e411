// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A data directory that cannot be used: another process has it, it is of another format, it is
 * damaged, or the disk fails. The message is for whoever runs the server.
 */
public final class DataDirectoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DataDirectoryException(String message) {
    super(message);
  }

  public DataDirectoryException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Of a directory whose files cannot be read or written. */
  public static DataDirectoryException of(Path directory, IOException fault) {
    return new DataDirectoryException(
        "the data directory " + directory + " cannot be read or written: " + DiskFaults.told(fault),
        fault);
  }
}
