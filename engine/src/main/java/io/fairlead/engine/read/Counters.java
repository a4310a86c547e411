// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

/** What answering a query took. Filled in as it runs. */
public final class Counters {
  long keysExamined;
  long documentsExamined;
  long returned;

  public long keysExamined() {
    return keysExamined;
  }

  public long documentsExamined() {
    return documentsExamined;
  }

  public long returned() {
    return returned;
  }
}
