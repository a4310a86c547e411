// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tests that are known to fail, each with its reason. They are run nevertheless, and one that
 * passes is an error: it has to leave the list.
 */
final class KnownFailures {
  /**
   * @param client the client with which it fails; null: with any
   * @param topology where it fails; null: everywhere
   */
  private record Entry(
      @Nullable String client,
      String suite,
      Pattern file,
      Pattern test,
      @Nullable TopologyKind topology,
      String reason) {

    boolean covers(String ofClient, Result result) {
      return (client == null || client.equals(ofClient))
          && suite.equals(result.suite())
          && file.matcher(result.file()).matches()
          && test.matcher(result.test()).matches()
          && (topology == null || topology == result.topology());
    }
  }

  private static final List<Entry> ENTRIES = List.of();

  private KnownFailures() {}

  /** Why a failure is known, if it is. */
  static Optional<String> reason(String client, Result result) {
    return ENTRIES.stream()
        .filter(each -> each.covers(client, result))
        .map(Entry::reason)
        .findFirst();
  }
}
