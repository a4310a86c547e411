// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.raw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.time.Instant;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways of writing a date that {@code $dateFromString} takes, with and without a format. */
final class DateFromStringTest {
  private static @Nullable BsonValue read(
      String text, @Nullable String format, @Nullable String zone) {
    BsonDocument arguments = new BsonDocument("dateString", new BsonString(text));
    if (format != null) {
      arguments.append("format", new BsonString(format));
    }
    if (zone != null) {
      arguments.append("timezone", new BsonString(zone));
    }
    return Expression.compile(new BsonDocument("$dateFromString", arguments), context())
        .evaluate(raw("{}"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // numbers
        "2017-07-04 | 2017-07-04T00:00:00Z",
        "2017-07-04T11:56:02Z | 2017-07-04T11:56:02Z",
        "2017-07-04T11:56:02.813Z | 2017-07-04T11:56:02.813Z",
        "2017-07-04T11:56.02.8 | 2017-07-04T11:56:02.800Z",
        "2017-07-06 11:36 | 2017-07-06T11:36:00Z",
        "2017/07/06 | 2017-07-06T00:00:00Z",
        "7/4/17 | 2017-07-04T00:00:00Z",
        "7/4/1917 | 1917-07-04T00:00:00Z",
        "7/4/70 | 1970-07-04T00:00:00Z",
        "04-07-2017 | 2017-07-04T00:00:00Z",
        "04.07.2017 | 2017-07-04T00:00:00Z",
        "2017-07 | 2017-07-01T00:00:00Z",
        "20170704 | 2017-07-04T00:00:00Z",
        "20170704T115602 | 2017-07-04T11:56:02Z",
        "20170704T11:56:02 | 2017-07-04T11:56:02Z",
        "2017:07:04 11:56:02 | 2017-07-04T11:56:02Z",
        "2017-W27-2 | 2017-07-04T00:00:00Z",
        "2017W27 | 2017-07-03T00:00:00Z",
        "@1499169362 | 2017-07-04T11:56:02Z",
        "@1499169362.25 | 2017-07-04T11:56:02.250Z",
        "@-1 | 1969-12-31T23:59:59Z",
        // names of months
        "July 4th, 2017 | 2017-07-04T00:00:00Z",
        "July 4th, 2017 11am | 2017-07-04T11:00:00Z",
        "July 4th, 2017 12pm | 2017-07-04T12:00:00Z",
        "July 4th, 2017 12:05 a.m. | 2017-07-04T00:05:00Z",
        "4 July 2017 | 2017-07-04T00:00:00Z",
        "4-Jul-17 | 2017-07-04T00:00:00Z",
        "2017-Jul-04 noon | 2017-07-04T12:00:00Z",
        "July 2017 | 2017-07-01T00:00:00Z",
        "Jul 4 11:56 2017 | 2017-07-04T11:56:00Z",
        // days of the week move a date forward to that day
        "Tue, 04 Jul 2017 11:56:02 GMT | 2017-07-04T11:56:02Z",
        "Wed, 04 Jul 2017 11:56:02 GMT | 2017-07-05T11:56:02Z",
        // zones
        "10/Oct/2000:13:55:36 -0700 | 2000-10-10T20:55:36Z",
        "2017-07-14T12:02:44.771 GMT | 2017-07-14T12:02:44.771Z",
        "2017-07-14T12:02:44.771 GMT+02 | 2017-07-14T10:02:44.771Z",
        "2017-07-14T12:02:44.771 GMT+02:00 | 2017-07-14T10:02:44.771Z",
        "2017-07-14T12:02:44.771+03 | 2017-07-14T09:02:44.771Z",
        "2017-07-14T12:02:44.771+0330 | 2017-07-14T08:32:44.771Z",
        "2017-07-04 12:48:07 GMT+0545 | 2017-07-04T07:03:07Z",
        "2017-07-14T12:02:44.771 CEST | 2017-07-14T10:02:44.771Z",
        "2017-07-14T12:02:44.771 EST | 2017-07-14T17:02:44.771Z",
        "2017-07-14T12:02:44.771 PDT | 2017-07-14T19:02:44.771Z",
        "2017-07-14T12:02:44.771 A | 2017-07-14T11:02:44.771Z",
        "2017-07-14T12:02:44.771 L | 2017-07-14T01:02:44.771Z",
        "2017-07-14T12:02:44.771 P | 2017-07-14T15:02:44.771Z",
        "July 4th, 2017 12:39:30 BST | 2017-07-04T11:39:30Z",
        // movements
        "2017-07-04 +1 day | 2017-07-05T00:00:00Z",
        "2017-07-04 11:00 -90 minutes | 2017-07-04T09:30:00Z",
        "2017-07-04 11:00 2 hours ago | 2017-07-04T09:00:00Z",
        "2017-07-04 11:00 tomorrow | 2017-07-05T00:00:00Z",
        "last day of 2017-02-03 | 2017-02-28T00:00:00Z",
        "2017-01-31 +1 month | 2017-03-03T00:00:00Z",
        "2017-07-04 3 mondays | 2017-07-24T00:00:00Z",
        "2017-07-04 next friday | 2017-07-07T00:00:00Z"
      })
  void a_date_is_read_without_a_format(String text, String expected) {
    assertThat(millis(read(text, null, null))).isEqualTo(Instant.parse(expected).toEpochMilli());
  }

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "2017-07-04T11:56:02.8Z | %Y-%m-%dT%H:%M:%S.%LZ | 2017-07-04T11:56:02.800Z",
        "05*12*1988 | %d*%m*%Y | 1988-12-05T00:00:00Z",
        "1992 % 04 % 26 | %Y %% %m %% %d | 1992-04-26T00:00:00Z",
        "4/26/1992:+0445 | %m/%d/%Y:%z | 1992-04-25T19:15:00Z",
        "4/26/1992:+285 | %m/%d/%Y:%Z | 1992-04-25T19:15:00Z",
        "2017-07-14T12:02:44.771 CEST | %Y-%m-%dT%H:%M:%S.%L%z | 2017-07-14T10:02:44.771Z",
        "26 April 1992 | %d %B %Y | 1992-04-26T00:00:00Z",
        "2017 | %G | 2017-01-02T00:00:00Z",
        "2017, Week 53 | %G, Week %V | 2018-01-01T00:00:00Z",
        "2017, Day 5 | %G, Day %u | 2017-01-06T00:00:00Z",
        "53.7.2017 | %V.%u.%G | 2018-01-07T00:00:00Z",
        "1.1.1 | %V.%u.%G | 0001-01-01T00:00:00Z"
      })
  void a_date_is_read_by_its_format(String text, String format, String expected) {
    assertThat(millis(read(text, format, null))).isEqualTo(Instant.parse(expected).toEpochMilli());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "July 4th | an incomplete date/time string has been found",
        "12:50:53 | an incomplete date/time string has been found",
        "2018 | an incomplete date/time string has been found",
        "2017, 12:50:53 | Error parsing date string",
        "60.Monday1770/06:59 | Error parsing date string",
        "`` | Empty string",
        "2018-02-30 | The parsed date was invalid",
        "2018-02-28 24:00 | the parsed time was invalid",
        "2017-07-04 2017-07-05 | Double date specification",
        "2017-07-04 11:00 12:00 | Double time specification",
        "2017-07-04 11:00 CET +01:00 | Double timezone specification",
        "2017-07-12T22:23:55 America/New_York | passing a time zone identifier",
        "2017-07-04 2 weekdays | Error parsing date string",
        "2017-07-04 # | Unexpected character"
      })
  void what_is_no_date_fails_conversion(String text, String why) {
    refused(() -> read(text, null, null)).hasMessageContaining(why);
  }

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "2018-01 | %Y-%m-%d | Not enough data available",
        "2018-01 | %Y | Trailing data",
        "2018-02 | %Y-%m | incomplete",
        "1992-26-04 | Y-d-m | Format literal not found",
        "ISO Day 6 | ISO Day %u | The parsed date was invalid",
        "ISO Week 52 | ISO Week %V | The parsed date was invalid",
        "ISO Week 1, 2018 | ISO Week %V, %Y | Mixing of ISO dates",
        "12/31/2018 | %m/%d/%G | Mixing of ISO dates",
        "2018-01-01 5:3 | %Y-%m-%d %H:%M | A two digit minute",
        "2018 54 | %G %V | ISO Week must be between 1 and 53"
      })
  void what_is_not_in_the_format_fails_conversion(String text, String format, String why) {
    refused(() -> read(text, format, null)).hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2017-07-12T22:23:55 GMT+02:00",
        "2017-07-12T22:23:55Z",
        "2017-07-12T22:23:55.000+02:00",
        "2017-07-12T22:23:55 CEST"
      })
  void a_zone_in_the_text_and_one_beside_it_contradict(String text) {
    refused(() -> read(text, null, "Europe/Amsterdam")).hasMessageContaining("timezone argument");
  }

  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource({
    "2017-07-04T11:56:02, Europe/London, 2017-07-04T10:56:02Z",
    "1960-07-10T12:35:37, America/New_York, 1960-07-10T16:35:37Z",
    "2017-07-04T11:56:02, -05:00, 2017-07-04T16:56:02Z",
    "2017-07-04T11:56:02Z, UTC, 2017-07-04T11:56:02Z"
  })
  void a_text_without_a_zone_is_read_in_the_given_one(String text, String zone, String expected) {
    assertThat(millis(read(text, null, zone))).isEqualTo(Instant.parse(expected).toEpochMilli());
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> refused(ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCodes.CONVERSION_FAILURE));
  }

  private static long millis(@Nullable BsonValue value) {
    assertThat(value).isNotNull();
    return value == null ? 0 : value.asDateTime().getValue();
  }
}
