// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

/** What became of a test. */
public sealed interface Verdict {
  record Passed() implements Verdict {}

  /**
   * It failed.
   *
   * @param accident whether by something that no test asks for: a crash, a time limit
   */
  record Failed(String why, boolean accident) implements Verdict {
    Failed(String why) {
      this(why, false);
    }
  }

  record Skipped(Reason reason, String why) implements Verdict {}

  /** Why a test may be left out. */
  enum Reason {
    /** The file's requirements are not met by any deployment that runs here. */
    REQUIREMENT("asks for another deployment"),
    /** The file itself says that it is to be skipped. */
    DECLARED("skipped by the specification"),
    /** {@code com.mongodb.client} has no such operation or option. */
    NOT_IN_API("not in com.mongodb.client"),
    /** This runner refuses it by name. */
    NOT_IN_RUNNER("refused by the runner"),
    /** Listed in {@link KnownFailures}: was run, and failed. */
    KNOWN("known");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
