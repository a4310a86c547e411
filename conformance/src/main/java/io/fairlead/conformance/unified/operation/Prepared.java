// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

/** An operation whose arguments have been read. */
@FunctionalInterface
interface Prepared {
  Outcome run() throws InterruptedException;

  /** An operation that gives nothing. */
  static Prepared nothing(Runnable body) {
    return () -> {
      body.run();
      return Outcome.NOTHING;
    };
  }
}
