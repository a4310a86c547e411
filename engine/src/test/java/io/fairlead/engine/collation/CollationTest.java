// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collation;

import static io.fairlead.engine.value.Docs.doc;
import static io.fairlead.engine.value.Docs.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.StringOrder;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CollationTest {
  private static int compare(String collation, String a, String b) {
    return Integer.signum(
        Collation.parse(doc(collation)).compare(new BsonString(a), new BsonString(b)));
  }

  @ParameterizedTest(name = "{0}: {1} ? {2} = {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{locale: 'en', strength: 1} | e | É | 0",
        "{locale: 'en', strength: 2} | e | E | 0",
        "{locale: 'en', strength: 2} | e | é | -1",
        "{locale: 'en', strength: 3} | e | E | -1",
        "{locale: 'en'} | e | E | -1",
        "{locale: 'en'} | E | f | -1",
        "{locale: 'en'} | a b | ab | -1",
        "{locale: 'en', strength: 1} | a b | ab | -1",
        "{locale: 'en'} | co-op | coop | -1",
        "{locale: 'en', alternate: 'shifted'} | co-op | coop | 0",
        "{locale: 'en', alternate: 'shifted', strength: 4} | co-op | coop | -1",
        "{locale: 'en'} | 10 | 9 | -1",
        "{locale: 'en', numericOrdering: true} | a10 | a9 | 1",
        "{locale: 'en', numericOrdering: true} | a010 | a10 | 0",
        "{locale: 'en', caseFirst: 'upper'} | a | A | 1",
        "{locale: 'en', strength: 1, caseLevel: true} | é | E | -1",
        "{locale: 'en', strength: 1, caseLevel: true} | é | e | 0",
        "{locale: 'en'} | z | ß | 1",
        "{locale: 'en', strength: 1} | strasse | straße | 0",
        "{locale: 'en'} | a | 1 | 1",
        "{locale: 'en'} | _ | a | -1",
        "{locale: 'fr', backwards: true} | côte | coté | -1",
        "{locale: 'en'} | côte | coté | 1",
        "{locale: 'simple'} | e | E | 1",
        "{locale: 'sv'} | ä | z | 1",
        "{locale: 'de'} | ä | z | -1",
        "{locale: 'es@collation=traditional'} | ch | cz | 1",
        "{locale: 'da'} | A | a | -1",
        "{locale: 'zh'} | 一 | 丁 | 1",
      })
  void strings_compare_by_the_collations_levels(
      String collation, String a, String b, int expected) {
    assertThat(compare(collation, a, b)).isEqualTo(expected);
    assertThat(compare(collation, b, a)).isEqualTo(-expected);
  }

  @Test
  void options_are_told_whole_with_the_locales_defaults() {
    assertThat(Collation.specOf(Collation.parse(doc("{locale: 'en', strength: 2}"))))
        .isEqualTo(
            doc(
                "{locale: 'en', caseLevel: false, caseFirst: 'off', strength: 2, numericOrdering:"
                    + " false, alternate: 'non-ignorable', maxVariable: 'punct', normalization:"
                    + " false, backwards: false, version: '57.1'}"));
    BsonDocument canadian = Collation.specOf(Collation.parse(doc("{locale: 'fr_CA'}")));
    assertThat(canadian.getBoolean("backwards").getValue()).isTrue();
    assertThat(Collation.parse(canadian).strings())
        .isEqualTo(Collation.parse(doc("{locale: 'fr_CA'}")).strings());
    assertThat(Collation.specOf(BsonOrder.SIMPLE)).isEqualTo(doc("{locale: 'simple'}"));
  }

  @Test
  void sort_keys_are_in_the_order_of_the_strings() {
    StringOrder strings =
        Objects.requireNonNull(
            Collation.parse(doc("{locale: 'de@collation=phonebook', strength: 5}")).strings());
    var random = new java.util.Random(7);
    String letters = "aäAÄbzZ ßé-_1\u0000\u00ff\u6f22\ud83d\ude00";
    for (int i = 0; i < 2_000; i++) {
      String a = word(letters, random);
      String b = word(letters, random);
      assertThat(
              Integer.signum(
                  java.util.Arrays.compareUnsigned(strings.sortKey(a), strings.sortKey(b))))
          .as(a + " and " + b)
          .isEqualTo(Integer.signum(strings.compare(a, b)));
    }
  }

  private static String word(String letters, java.util.Random random) {
    return random
        .ints(random.nextInt(5), 0, letters.length() - 1)
        .mapToObj(i -> letters.substring(i, i + 1))
        .collect(java.util.stream.Collectors.joining());
  }

  @Test
  void equal_strings_have_one_hash() {
    BsonOrder order = Collation.parse(doc("{locale: 'en', strength: 1}"));
    assertThat(order.hash(new BsonString("É"))).isEqualTo(order.hash(new BsonString("e")));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{strength: 2} | 40414",
        "{locale: 'en', foo: 1} | 40415",
        "{locale: 1} | 14",
        "{locale: 'xx'} | 2",
        "{locale: ''} | 2",
        "{locale: 'en-US'} | 2",
        "{locale: 'EN'} | 2",
        "{locale: 'de@collation=nonsense'} | 2",
        "{locale: 'en', caseFirst: 'upper', strength: 2} | 2",
        "{locale: 'en', backwards: true, strength: 1} | 2",
        "{locale: 'en', version: '1.0'} | 161",
        "{locale: 'en', strength: 9} | 2",
        "{locale: 'en', alternate: 'x'} | 2",
        "{locale: 'simple', strength: 2} | 2",
      })
  void a_bad_collation_is_refused(String collation, int code) {
    fails(code, () -> Collation.parse(doc(collation)));
  }
}
