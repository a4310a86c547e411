// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.foreign;

/**
 * What a foreign client connects to.
 *
 * @param name such as {@code replica set}
 * @param uri its connection string
 * @param stepDown makes the primaries behind it step down, and returns when they have
 */
record Deployment(String name, String uri, StepDown stepDown) {
  /** Makes primaries step down. */
  @FunctionalInterface
  interface StepDown {
    void run() throws InterruptedException;
  }
}
