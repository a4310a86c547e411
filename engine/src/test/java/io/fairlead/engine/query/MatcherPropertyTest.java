// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import static io.fairlead.engine.value.Docs.context;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.RandomValues;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/** The matcher and a naive interpreter agree; a failure prints its seed. */
final class MatcherPropertyTest {
  private static final List<String> COMPARISONS =
      List.of("$eq", "$gt", "$gte", "$lt", "$lte", "$ne");

  @Test
  void the_matcher_agrees_with_a_naive_interpreter() {
    for (long seed = 1; seed <= 8_000; seed++) {
      RandomValues random = new RandomValues(new SplittableRandom(seed));
      BsonDocument filter = filter(random, 2);
      Matcher matcher = Matcher.compile(filter, context());
      for (int i = 0; i < 3; i++) {
        BsonDocument document = random.document(3);
        assertThat(matcher.matches(DocumentWriter.write(document)))
            .as("seed %d: %s on %s", seed, filter.toJson(), document.toJson())
            .isEqualTo(NaiveMatcher.matches(filter, document));
      }
    }
  }

  private static BsonDocument filter(RandomValues random, int depth) {
    BsonDocument filter = new BsonDocument();
    int fields = 1 + random.below(2);
    for (int i = 0; i < fields; i++) {
      if (depth > 0 && random.below(5) == 0) {
        BsonArray clauses = new BsonArray();
        for (int c = 0; c <= random.below(2); c++) {
          clauses.add(filter(random, depth - 1));
        }
        filter.put(List.of("$and", "$or", "$nor").get(random.below(3)), clauses);
      } else {
        filter.put(random.path(), condition(random, depth));
      }
    }
    return filter;
  }

  private static BsonValue condition(RandomValues random, int depth) {
    return switch (random.below(10)) {
      case 0, 1 -> random.value(2);
      case 2 -> new BsonDocument("$exists", BsonBoolean.valueOf(random.below(2) == 0));
      case 3 -> new BsonDocument("$size", new BsonInt32(random.below(3)));
      case 4 ->
          new BsonDocument(List.of("$in", "$nin", "$all").get(random.below(3)), values(random));
      case 5 -> depth > 0 ? new BsonDocument("$elemMatch", filter(random, 0)) : comparison(random);
      case 6 ->
          new BsonDocument(
              "$elemMatch", new BsonDocument(COMPARISONS.get(random.below(5)), random.value(1)));
      case 7 -> new BsonDocument("$not", comparison(random));
      case 8 -> comparison(random).append("$lte", random.value(1));
      default -> comparison(random);
    };
  }

  private static BsonDocument comparison(RandomValues random) {
    return new BsonDocument(COMPARISONS.get(random.below(COMPARISONS.size())), random.value(2));
  }

  private static BsonArray values(RandomValues random) {
    BsonArray values = new BsonArray();
    for (int i = 0; i <= random.below(3); i++) {
      values.add(random.value(1));
    }
    return values;
  }
}
