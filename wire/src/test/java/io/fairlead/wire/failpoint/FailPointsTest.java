// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailPointsTest {
  private static final CommandFacts FIND = new CommandFacts("find", "db.c", "app", "conn7", false);
  private static final CommandFacts INSERT =
      new CommandFacts("insert", "db.c", "app", "conn7", false);

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
  private final FailPoints failPoints = new FailPoints(random);

  private BsonDocument set(String mode, String data) {
    return failPoints.configure(
        BsonDocument.parse(
            "{configureFailPoint: 'failCommand', mode: "
                + mode
                + ", data: "
                + data
                + ", $db: 'admin'}"));
  }

  @Test
  void nothing_set_does_nothing() {
    assertThat(failPoints.onCommand(FIND).isNone()).isTrue();
  }

  @Test
  void an_error_code_fails_only_the_commands_that_are_listed() {
    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 91}");

    assertThat(failPoints.onCommand(FIND).outcome())
        .isInstanceOfSatisfying(Effect.Fail.class, fail -> assertThat(fail.code()).isEqualTo(91));
    assertThat(failPoints.onCommand(INSERT).isNone()).isTrue();
  }

  @Test
  void times_acts_so_often_and_is_off_afterwards() {
    set("{times: 2}", "{failCommands: ['find'], closeConnection: true}");

    assertThat(failPoints.onCommand(FIND).outcome()).isInstanceOf(Effect.CloseConnection.class);
    failPoints.onCommand(INSERT);
    assertThat(failPoints.onCommand(FIND).outcome()).isInstanceOf(Effect.CloseConnection.class);
    assertThat(failPoints.onCommand(FIND).isNone()).isTrue();
  }

  @Test
  void skip_lets_so_many_pass_and_acts_on_all_others() {
    set("{skip: 2}", "{failCommands: ['find'], errorCode: 6}");

    assertThat(failPoints.onCommand(FIND).isNone()).isTrue();
    assertThat(failPoints.onCommand(FIND).isNone()).isTrue();
    assertThat(failPoints.onCommand(FIND).isNone()).isFalse();
    assertThat(failPoints.onCommand(FIND).isNone()).isFalse();
  }

  @Test
  void off_ends_it_and_the_reply_counts_how_often_it_acted() {
    assertThat(set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6}"))
        .containsEntry("count", new BsonInt64(0));
    failPoints.onCommand(FIND);
    failPoints.onCommand(FIND);

    BsonDocument off =
        failPoints.configure(
            BsonDocument.parse("{configureFailPoint: 'failCommand', mode: 'off'}"));

    assertThat(off).containsEntry("count", new BsonInt64(2));
    assertThat(failPoints.onCommand(FIND).isNone()).isTrue();
  }

  @Test
  void a_probability_acts_on_about_that_share() {
    set("{activationProbability: 0.25}", "{failCommands: ['find'], errorCode: 6}");

    int acted = 0;
    for (int i = 0; i < 4_000; i++) {
      acted += failPoints.onCommand(FIND).isNone() ? 0 : 1;
    }

    assertThat(acted).isBetween(900, 1_100);
  }

  @Test
  void
      labels_that_are_given_are_exactly_these_even_when_empty_and_absent_ones_are_left_to_the_server() {
    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6, errorLabels: ['A', 'B']}");
    assertThat(failPoints.onCommand(FIND).errorLabels()).isEqualTo(List.of("A", "B"));

    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6, errorLabels: []}");
    assertThat(failPoints.onCommand(FIND).errorLabels()).isEqualTo(List.of());

    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6}");
    assertThat(failPoints.onCommand(FIND).errorLabels()).isNull();
  }

  @Test
  void blocking_comes_before_the_error_and_also_without_one() {
    set(
        "'alwaysOn'",
        "{failCommands: ['find'], blockConnection: true, blockTimeMS: 20, errorCode: 6}");
    assertThat(failPoints.onCommand(FIND).block()).isEqualTo(Duration.ofMillis(20));

    set("'alwaysOn'", "{failCommands: ['find'], blockConnection: true, blockTimeMS: 20}");
    assertThat(failPoints.onCommand(FIND).outcome()).isInstanceOf(Effect.Proceed.class);
  }

  @Test
  void a_write_concern_error_lets_the_command_run() {
    set("'alwaysOn'", "{failCommands: ['insert'], writeConcernError: {code: 91, errmsg: 'x'}}");

    assertThat(failPoints.onCommand(INSERT).outcome())
        .isEqualTo(new Effect.AddWriteConcernError(BsonDocument.parse("{code: 91, errmsg: 'x'}")));
  }

  @Test
  void it_can_be_limited_to_an_application_a_thread_and_a_namespace() {
    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6, appName: 'other'}");
    assertThat(failPoints.onCommand(FIND).isNone()).isTrue();
    set(
        "'alwaysOn'",
        "{failCommands: ['find'], errorCode: 6, appName: 'app', threadName: 'conn8'}");
    assertThat(failPoints.onCommand(FIND).isNone()).isTrue();
    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6, namespace: 'db.other'}");
    assertThat(failPoints.onCommand(FIND).isNone()).isTrue();
    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6, appName: 'app', namespace: 'db.c'}");
    assertThat(failPoints.onCommand(FIND).isNone()).isFalse();
  }

  @Test
  void internal_clients_fail_only_when_that_is_asked_for() {
    CommandFacts internal = new CommandFacts("find", "db.c", null, null, true);
    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6}");
    assertThat(failPoints.onCommand(internal).isNone()).isTrue();
    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6, failInternalCommands: true}");
    assertThat(failPoints.onCommand(internal).isNone()).isFalse();
  }

  @Test
  void configureFailPoint_itself_never_fails() {
    set("'alwaysOn'", "{failAllCommands: true, errorCode: 6}");
    assertThat(
            failPoints
                .onCommand(new CommandFacts("configureFailPoint", "admin", null, null, false))
                .isNone())
        .isTrue();
    assertThat(failPoints.onCommand(FIND).isNone()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'sometimes' | {failCommands: ['find']} | 2",
        "{often: 1} | {failCommands: ['find']} | 2",
        "{times: -1} | {failCommands: ['find']} | 2",
        "{activationProbability: 2} | {failCommands: ['find']} | 2",
        "7 | {failCommands: ['find']} | 14",
        "'alwaysOn' | {failCommands: ['find'], errorcode: 6} | 2",
        "'alwaysOn' | {failCommands: ['find'], errorCode: 'x'} | 14",
        "'alwaysOn' | {failCommands: ['find'], blockConnection: true} | 2",
        "'alwaysOn' | {failCommands: 'find', errorCode: 6} | 14",
        "'alwaysOn' | {errorCode: 6} | 2",
        "'alwaysOn' | {failCommands: ['insert'], errorCode: 6, writeConcernError: {code: 1}} | 2"
      },
      quoteCharacter = '"')
  void what_it_does_not_understand_is_refused_and_changes_nothing(
      String mode, String data, int code) {
    set("'alwaysOn'", "{failCommands: ['insert'], errorCode: 6}");

    assertThatExceptionOfType(FailPointException.class)
        .isThrownBy(() -> set(mode, data))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(code));
    assertThat(failPoints.onCommand(INSERT).isNone()).isFalse();
  }

  @Test
  void other_fail_points_and_unknown_fields_are_refused_by_name() {
    assertThatExceptionOfType(FailPointException.class)
        .isThrownBy(
            () ->
                failPoints.configure(
                    BsonDocument.parse("{configureFailPoint: 'hang', mode: 'off'}")))
        .withMessageContaining("hang");
    assertThatExceptionOfType(FailPointException.class)
        .isThrownBy(
            () ->
                failPoints.configure(
                    BsonDocument.parse("{configureFailPoint: 'failCommand', mode: 'off', x: 1}")))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(40415));
  }

  @Test
  void waiting_ends_when_it_has_acted_so_often_or_the_time_is_over() throws InterruptedException {
    set("'alwaysOn'", "{failCommands: ['find'], errorCode: 6}");
    failPoints.onCommand(FIND);

    failPoints.await(
        BsonDocument.parse("{waitForFailPoint: 'failCommand', timesEntered: 1, maxTimeMS: 1000}"));
    assertThatExceptionOfType(FailPointException.class)
        .isThrownBy(
            () ->
                failPoints.await(
                    BsonDocument.parse(
                        "{waitForFailPoint: 'failCommand', timesEntered: 2, maxTimeMS: 1}")))
        .satisfies(late -> assertThat(late.code()).isEqualTo(50));
  }
}
