// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

final class ReadPreferenceTest {
  @Test
  void every_mode_has_its_wire_name() {
    for (Mode mode : Mode.values()) {
      assertThat(
              ReadPreference.parse(BsonDocument.parse("{mode: '" + mode.wireName() + "'}")).mode())
          .isEqualTo(mode);
    }
  }

  @Test
  void everything_that_is_set_travels_and_is_read_back() {
    ReadPreference preference =
        new ReadPreference(
            Mode.NEAREST,
            List.of(Map.of("dc", "ams", "disk", "ssd"), Map.of()),
            Duration.ofMinutes(2),
            true,
            new LatencyWindow.Proportional(20, Duration.ofNanos(1_500_000)),
            Duration.ofMillis(30));
    assertThat(preference.toDocument())
        .isEqualTo(
            BsonDocument.parse(
                "{mode: 'nearest', tags: [{dc: 'ams', disk: 'ssd'}, {}], maxStalenessSeconds:"
                    + " {$numberLong: '120'}, hedge: {enabled: true}, maxPingMS: {$numberLong:"
                    + " '30'}, latencyWindow: {percent: {$numberLong: '20'}, floorMS: 1.5}}"));
    assertThat(ReadPreference.parse(preference.toDocument())).isEqualTo(preference);
  }

  @Test
  void primary_takes_neither_tags_nor_staleness_nor_hedge() {
    for (String extra :
        List.of("tags: [{dc: 'a'}]", "maxStalenessSeconds: 100", "hedge: {enabled: true}")) {
      BsonDocument document = BsonDocument.parse("{mode: 'primary', " + extra + "}");
      assertThatThrownBy(() -> ReadPreference.parse(document))
          .isInstanceOf(InvalidReadPreferenceException.class)
          .hasMessageContaining("mode primary");
    }
    assertThat(ReadPreference.parse(BsonDocument.parse("{mode: 'primary', tags: [{}]}")))
        .isEqualTo(ReadPreference.PRIMARY);
  }

  @Test
  void malformed_preferences_are_refused_by_the_name_of_the_field() {
    Map<String, String> refusals =
        Map.ofEntries(
            Map.entry("{}", "mode"),
            Map.entry("{mode: 3}", "mode"),
            Map.entry("{mode: 'fastest'}", "'fastest'"),
            Map.entry("{mode: 'Nearest'}", "'Nearest'"),
            Map.entry("{mode: 'nearest', tags: {}}", "tags"),
            Map.entry("{mode: 'nearest', tags: ['x']}", "tag set"),
            Map.entry("{mode: 'nearest', tags: [{dc: 1}]}", "'dc'"),
            Map.entry("{mode: 'nearest', maxStalenessSeconds: 'x'}", "maxStalenessSeconds"),
            Map.entry("{mode: 'nearest', maxStalenessSeconds: -5}", "maxStalenessSeconds"),
            Map.entry("{mode: 'nearest', hedge: 1}", "hedge"),
            Map.entry("{mode: 'nearest', maxPingMS: 'x'}", "maxPingMS"),
            Map.entry("{mode: 'nearest', maxPingMS: 0}", "maxPingMS"),
            Map.entry("{mode: 'nearest', maxPingMS: -1}", "maxPingMS"),
            Map.entry("{mode: 'nearest', latencyWindow: 5}", "latencyWindow"),
            Map.entry("{mode: 'nearest', latencyWindow: {}}", "latencyWindow"),
            Map.entry("{mode: 'nearest', latencyWindow: {ms: 5, percent: 10}}", "latencyWindow"),
            Map.entry("{mode: 'nearest', latencyWindow: {ms: -5}}", "latencyWindow.ms"),
            Map.entry("{mode: 'nearest', latencyWindow: {ms: 5, floorMS: 1}}", "latencyWindow"),
            Map.entry("{mode: 'nearest', latencyWindow: {percent: 1.5}}", "latencyWindow.percent"),
            Map.entry("{mode: 'nearest', latencyWindow: {percent: 5, flor: 1}}", "'flor'"));
    refusals.forEach(
        (document, named) ->
            assertThatThrownBy(() -> ReadPreference.parse(BsonDocument.parse(document)))
                .as(document)
                .isInstanceOf(InvalidReadPreferenceException.class)
                .hasMessageContaining(named));
  }

  @Test
  void malformed_additions_are_a_bad_value() {
    assertThatThrownBy(
            () ->
                ReadPreference.parse(
                    BsonDocument.parse("{mode: 'nearest', latencyWindow: {ms: 'x'}}")))
        .isInstanceOfSatisfying(
            InvalidReadPreferenceException.class, e -> assertThat(e.code()).isEqualTo(2));
  }

  @Test
  void fields_of_other_releases_are_ignored() {
    assertThat(ReadPreference.parse(BsonDocument.parse("{mode: 'nearest', $future: 1}")).mode())
        .isEqualTo(Mode.NEAREST);
  }
}
