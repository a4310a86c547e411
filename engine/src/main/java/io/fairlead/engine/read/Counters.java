// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

/** What answering a query took. Filled in as it runs. */
public final class Counters {
  long keysExamined;
  long documentsExamined;

  /** What came out of the index, and what of it matched. */
  long found;

  long matched;
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
