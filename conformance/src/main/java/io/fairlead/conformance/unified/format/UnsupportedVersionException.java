// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

/** A file is of a schema version that is not understood here. */
public final class UnsupportedVersionException extends InvalidFileException {
  private static final long serialVersionUID = 1L;

  UnsupportedVersionException(String message) {
    super(message);
  }
}
