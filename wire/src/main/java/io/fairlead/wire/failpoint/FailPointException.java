// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

/**
 * A {@code configureFailPoint} or {@code waitForFailPoint} that cannot be done, as MongoDB's code,
 * name and message.
 */
public final class FailPointException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String codeName;

  FailPointException(int code, String codeName, String message) {
    super(message);
    this.code = code;
    this.codeName = codeName;
  }

  static FailPointException badValue(String message) {
    return new FailPointException(2, "BadValue", message);
  }

  static FailPointException typeMismatch(String message) {
    return new FailPointException(14, "TypeMismatch", message);
  }

  /** The number of the error, such as 2. */
  public int code() {
    return code;
  }

  /** The name that belongs to the number, such as {@code BadValue}. */
  public String codeName() {
    return codeName;
  }
}
