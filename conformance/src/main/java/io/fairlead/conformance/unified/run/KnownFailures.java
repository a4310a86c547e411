// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tests that are known to fail, each with its reason. They are run nevertheless, and one that
 * passes is an error: it has to leave the list. Only where chance decides, or a rule covers what is
 * being built, may it pass.
 */
final class KnownFailures {
  /**
   * A rule of the list.
   *
   * @param client the client with which it fails; null: with any
   * @param chance whether some of what it covers may pass, too
   */
  record Entry(
      @Nullable String client,
      String suite,
      Pattern file,
      Pattern test,
      boolean chance,
      String reason) {

    private boolean covers(String ofClient, Result result) {
      return (client == null || client.equals(ofClient))
          && suite.equals(result.suite())
          && file.matcher(result.file()).matches()
          && test.matcher(result.test()).matches();
    }
  }

  private static final String CHANGE_STREAMS = "change streams are not there yet";
  private static final String BULK_WRITE = "our client has no bulk write of the client yet";
  private static final String JAVASCRIPT = "mapReduce needs JavaScript, which the server refuses";
  private static final String ACKNOWLEDGED =
      "the client acknowledges findAndModify whatever the write concern says";
  private static final String OFFICIAL_SPLIT =
      "the official client sends updates and replacements of a bulk write in commands of their own";
  private static final String OUT_ON_SECONDARY =
      "a secondary does not write the result of $out and $merge through to the primary; a client"
          + " that has found only the primary yet asks that";

  private static final List<Entry> ENTRIES =
      List.of(
          of(null, "unified-test-format", "valid-pass/poc-change-streams", ".*", CHANGE_STREAMS),
          of(null, "retryable-reads", "unified/changeStreams-.*", ".* succeeds .*", CHANGE_STREAMS),
          of(
              null,
              "retryable-reads",
              "unified/mapReduce",
              "MapReduce succeeds with retry on",
              JAVASCRIPT),
          of(
              null,
              "read-write-concern",
              "operation/default-write-concern-3.4",
              "MapReduce .*",
              JAVASCRIPT),
          of(
              null,
              "crud",
              "unified/findOneAnd.*-hint-unacknowledged",
              ".*4.4\\+ server",
              ACKNOWLEDGED),
          of(
              "official",
              "crud",
              "unified/bulkWrite-comment",
              "BulkWrite with (string|document) comment",
              OFFICIAL_SPLIT),
          sometimes(
              null,
              "crud",
              "unified/(db-)?aggregate-write-readPreference",
              ".* for 5.0\\+ server",
              OUT_ON_SECONDARY),
          sometimes(
              null,
              "collection-management",
              "timeseries-collection|clustered-indexes|createCollection-pre_and_post_images"
                  + "|modifyCollection-.*",
              ".*",
              "time-series, reports of clustered indexes, document images and prepareUnique are"
                  + " being built"),
          sometimes("fairlead", "crud", "unified/client-bulkWrite-.*", ".*", BULK_WRITE),
          sometimes(
              "fairlead", "retryable-writes", "unified/client-bulkWrite-.*", ".*", BULK_WRITE),
          sometimes("fairlead", "versioned-api", ".*", "client bulkWrite .*", BULK_WRITE),
          sometimes(
              "fairlead",
              "command-logging-and-monitoring",
              "monitoring/unacknowledged-client-bulkWrite",
              ".*",
              BULK_WRITE),
          of(
              "fairlead",
              "transactions",
              "unified/write-concern",
              "unacknowledged write concern coll .*",
              "our client refuses unacknowledged writes in a transaction, by name"),
          of("fairlead", "retryable-reads", "unified/changeStreams-.*", ".*", CHANGE_STREAMS),
          of(
              "official",
              "run-command",
              "unified/runCommand",
              "does not attach \\$readPreference to given command on standalone",
              "the official client sends a read preference to a standalone"));

  private KnownFailures() {}

  private static Entry of(
      @Nullable String client, String suite, String file, String test, String reason) {
    return new Entry(client, suite, Pattern.compile(file), Pattern.compile(test), false, reason);
  }

  private static Entry sometimes(
      @Nullable String client, String suite, String file, String test, String reason) {
    return new Entry(client, suite, Pattern.compile(file), Pattern.compile(test), true, reason);
  }

  /** The rule under which a failure is known, if it is. */
  static Optional<Entry> entry(String client, Result result) {
    return ENTRIES.stream().filter(each -> each.covers(client, result)).findFirst();
  }
}
