// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

/** {@code com.mongodb.client} has no such operation or option: nobody could run the test. */
public final class NotInApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotInApiException(String what) {
    super(what);
  }
}
