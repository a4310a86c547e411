// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

/**
 * A read preference that can't be had. A server or router answers it with its {@link #code()}; a
 * client refuses it when it is built.
 */
public final class InvalidReadPreferenceException extends IllegalArgumentException {
  public static final int BAD_VALUE = 2;
  public static final int FAILED_TO_PARSE = 9;
  public static final int TYPE_MISMATCH = 14;
  public static final int MAX_STALENESS_OUT_OF_RANGE = 160;

  private static final long serialVersionUID = 1;

  private final int code;

  public InvalidReadPreferenceException(String message) {
    this(BAD_VALUE, message);
  }

  public InvalidReadPreferenceException(int code, String message) {
    super(message);
    this.code = code;
  }

  /**
   * The error code by which MongoDB refuses such a preference, {@code BadValue} (2) unless it is
   * more specific.
   */
  public int code() {
    return code;
  }

  public String codeName() {
    return switch (code) {
      case FAILED_TO_PARSE -> "FailedToParse";
      case TYPE_MISMATCH -> "TypeMismatch";
      case MAX_STALENESS_OUT_OF_RANGE -> "MaxStalenessOutOfRange";
      default -> "BadValue";
    };
  }
}
