// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

/** A file is not what the format allows, or of a version that is not understood. */
public sealed class InvalidFileException extends RuntimeException
    permits UnsupportedVersionException {
  private static final long serialVersionUID = 1L;

  public InvalidFileException(String message) {
    super(message);
  }
}
