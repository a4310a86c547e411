// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

/** A test failed: something was not as expected, or the test asks for what it may not ask. */
public final class TestFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TestFailure(String message) {
    super(message);
  }

  public TestFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
