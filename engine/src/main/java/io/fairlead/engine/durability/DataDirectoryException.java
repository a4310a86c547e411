// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

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
}
