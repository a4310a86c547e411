// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** What went wrong with a file, in words: the system's own exceptions may say its name alone. */
final class DiskFaults {
  private DiskFaults() {}

  static String told(IOException fault) {
    String message = String.valueOf(fault.getMessage());
    return switch (fault) {
      case AccessDeniedException denied -> message + ": permission denied";
      case NoSuchFileException missing -> message + ": no such file or directory";
      case FileAlreadyExistsException other -> message + " is there already and no directory";
      default -> message;
    };
  }
}
