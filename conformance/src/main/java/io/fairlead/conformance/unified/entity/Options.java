// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

import com.mongodb.ReadConcern;
import com.mongodb.ReadConcernLevel;
import com.mongodb.ReadPreference;
import com.mongodb.ReadPreferenceHedgeOptions;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationAlternate;
import com.mongodb.client.model.CollationCaseFirst;
import com.mongodb.client.model.CollationMaxVariable;
import com.mongodb.client.model.CollationStrength;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Options that many operations and entities have. */
public final class Options {
  private Options() {}

  public static ReadConcern readConcern(BsonDocument options) {
    only(options, "level");
    return options.isEmpty()
        ? ReadConcern.DEFAULT
        : new ReadConcern(ReadConcernLevel.fromString(options.getString("level").getValue()));
  }

  public static WriteConcern writeConcern(BsonDocument options) {
    only(options, "w", "journal", "wtimeoutMS");
    WriteConcern concern = WriteConcern.ACKNOWLEDGED;
    BsonValue w = options.get("w");
    if (w != null) {
      concern =
          w.isString()
              ? new WriteConcern(w.asString().getValue())
              : new WriteConcern(w.asNumber().intValue());
    }
    if (options.containsKey("journal")) {
      concern = concern.withJournal(options.getBoolean("journal").getValue());
    }
    if (options.containsKey("wtimeoutMS")) {
      concern =
          concern.withWTimeout(options.getNumber("wtimeoutMS").longValue(), TimeUnit.MILLISECONDS);
    }
    return concern;
  }

  public static ReadPreference readPreference(BsonDocument options) {
    only(options, "mode", "tagSets", "maxStalenessSeconds", "hedge");
    String mode = options.getString("mode").getValue();
    if (!options.containsKey("tagSets")
        && !options.containsKey("maxStalenessSeconds")
        && !options.containsKey("hedge")) {
      return ReadPreference.valueOf(mode);
    }
    List<TagSet> tags =
        options.getArray("tagSets", new BsonArray()).stream().map(Options::tagSet).toList();
    ReadPreference preference =
        options.containsKey("maxStalenessSeconds")
            ? ReadPreference.valueOf(
                mode, tags, options.getNumber("maxStalenessSeconds").longValue(), TimeUnit.SECONDS)
            : tags.isEmpty() ? ReadPreference.valueOf(mode) : ReadPreference.valueOf(mode, tags);
    return options.containsKey("hedge")
        ? hedged(preference, options.getDocument("hedge"))
        : preference;
  }

  @SuppressWarnings("deprecation") // tests may still ask for hedged reads
  private static ReadPreference hedged(ReadPreference preference, BsonDocument hedge) {
    if (preference instanceof com.mongodb.TaggableReadPreference taggable) {
      return taggable.withHedgeOptions(
          ReadPreferenceHedgeOptions.builder()
              .enabled(hedge.getBoolean("enabled").getValue())
              .build());
    }
    throw new IllegalArgumentException("mode primary can not be combined with hedge");
  }

  private static TagSet tagSet(BsonValue value) {
    return new TagSet(
        value.asDocument().entrySet().stream()
            .map(each -> new Tag(each.getKey(), each.getValue().asString().getValue()))
            .toList());
  }

  public static TransactionOptions transaction(BsonDocument options) {
    only(options, "readConcern", "writeConcern", "readPreference", "maxCommitTimeMS", "timeoutMS");
    TransactionOptions.Builder builder = TransactionOptions.builder();
    if (options.containsKey("readConcern")) {
      builder.readConcern(readConcern(options.getDocument("readConcern")));
    }
    if (options.containsKey("writeConcern")) {
      builder.writeConcern(writeConcern(options.getDocument("writeConcern")));
    }
    if (options.containsKey("readPreference")) {
      builder.readPreference(readPreference(options.getDocument("readPreference")));
    }
    if (options.containsKey("maxCommitTimeMS")) {
      builder.maxCommitTime(
          options.getNumber("maxCommitTimeMS").longValue(), TimeUnit.MILLISECONDS);
    }
    if (options.containsKey("timeoutMS")) {
      builder.timeout(options.getNumber("timeoutMS").longValue(), TimeUnit.MILLISECONDS);
    }
    return builder.build();
  }

  public static Collation collation(BsonDocument options) {
    Collation.Builder builder = Collation.builder();
    options.forEach((name, value) -> collation(builder, name, value));
    return builder.build();
  }

  private static void collation(Collation.Builder builder, String name, BsonValue value) {
    switch (name) {
      case "locale" -> builder.locale(value.asString().getValue());
      case "caseLevel" -> builder.caseLevel(value.asBoolean().getValue());
      case "caseFirst" ->
          builder.collationCaseFirst(CollationCaseFirst.fromString(value.asString().getValue()));
      case "strength" ->
          builder.collationStrength(CollationStrength.fromInt(value.asNumber().intValue()));
      case "numericOrdering" -> builder.numericOrdering(value.asBoolean().getValue());
      case "alternate" ->
          builder.collationAlternate(CollationAlternate.fromString(value.asString().getValue()));
      case "maxVariable" ->
          builder.collationMaxVariable(
              CollationMaxVariable.fromString(value.asString().getValue()));
      case "normalization" -> builder.normalization(value.asBoolean().getValue());
      case "backwards" -> builder.backwards(value.asBoolean().getValue());
      default -> throw new TestFailure("unknown collation option " + name);
    }
  }

  /**
   * Refuses options of other names.
   *
   * @throws TestFailure when there are such
   */
  public static void only(BsonDocument options, String... known) {
    for (String name : options.keySet()) {
      if (!List.of(known).contains(name)) {
        throw new TestFailure("unknown option '" + name + "'");
      }
    }
  }
}
