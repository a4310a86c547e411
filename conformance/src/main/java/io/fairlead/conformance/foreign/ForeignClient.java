// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.foreign;

/** A client that was not written here. */
interface ForeignClient {
  /** Its name and version as far as known. */
  String name();

  /** Runs its steps against a deployment and reports each. */
  void run(Deployment deployment, Steps steps) throws InterruptedException;
}
