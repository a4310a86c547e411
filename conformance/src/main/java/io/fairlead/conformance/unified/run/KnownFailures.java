// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Tests that are known to fail, each named exactly and with its reason, in {@code
 * known-failures.json} beside this class. They are run nevertheless, and one that passes is an
 * error, as is one that its file does not have: the list can only shrink.
 *
 * <p>Each item of the list: {@code reason}; {@code suite}; {@code tests}, which gives the tests of
 * each file; where it fails with one client only, {@code client}; where it fails on some topologies
 * only, {@code topologies}.
 */
final class KnownFailures {
  private static final Set<String> FIELDS =
      Set.of("reason", "suite", "tests", "client", "topologies");

  /**
   * One test.
   *
   * @param client the client with which it fails; null: with any
   * @param topologies the topologies on which it fails; empty: on any
   */
  private record Entry(
      @Nullable String client,
      String suite,
      String file,
      String test,
      Set<String> topologies,
      String reason) {

    private boolean isOf(String ofClient, String inSuite, String inFile) {
      return (client == null || client.equals(ofClient))
          && suite.equals(inSuite)
          && file.equals(inFile);
    }

    private boolean covers(String ofClient, Result result) {
      return isOf(ofClient, result.suite(), result.file())
          && test.equals(result.test())
          && (topologies.isEmpty()
              || (result.topology() != null
                  && topologies.contains(result.topology().formatName())));
    }
  }

  private final List<Entry> entries;

  private KnownFailures(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** The list that belongs to this runner. */
  static KnownFailures listed() {
    try (InputStream list =
        Objects.requireNonNull(KnownFailures.class.getResourceAsStream("known-failures.json"))) {
      return parse(new String(list.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Reads a list.
   *
   * @throws IllegalArgumentException when it has what is not known
   */
  static KnownFailures parse(String json) {
    List<Entry> entries = new ArrayList<>();
    for (BsonValue item : BsonArray.parse(json)) {
      add(item.asDocument(), entries);
    }
    return new KnownFailures(entries);
  }

  private static void add(BsonDocument item, List<Entry> entries) {
    if (!FIELDS.containsAll(item.keySet())) {
      throw new IllegalArgumentException(
          "known failures have " + FIELDS + ", not " + item.keySet());
    }
    String client = item.containsKey("client") ? item.getString("client").getValue() : null;
    Set<String> topologies =
        item.getArray("topologies", new BsonArray()).stream()
            .map(each -> each.asString().getValue())
            .collect(Collectors.toUnmodifiableSet());
    item.getDocument("tests")
        .forEach(
            (file, tests) -> {
              for (BsonValue test : tests.asArray()) {
                entries.add(
                    new Entry(
                        client,
                        item.getString("suite").getValue(),
                        file,
                        test.asString().getValue(),
                        topologies,
                        item.getString("reason").getValue()));
              }
            });
  }

  /** Why that test is known to fail, if it is. */
  Optional<String> reason(String client, Result result) {
    return entries.stream()
        .filter(each -> each.covers(client, result))
        .findFirst()
        .map(Entry::reason);
  }

  /** The tests of a file that are listed. */
  Set<String> tests(String client, String suite, String file) {
    return entries.stream()
        .filter(each -> each.isOf(client, suite, file))
        .map(Entry::test)
        .collect(Collectors.toUnmodifiableSet());
  }
}
