// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.value.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Splits a pipeline for a scattered aggregation. Stages that look at one document at a time run on
 * the shards; the first that needs all of them runs in both halves where partial results can be
 * merged ({@code $group}, {@code $count}, {@code $sort}, {@code $limit}), else only in the merging
 * half, as does everything after it.
 */
final class Splitter {
  private static final Set<String> PER_DOCUMENT =
      Set.of(
          "$match",
          "$project",
          "$addFields",
          "$set",
          "$unset",
          "$unwind",
          "$replaceRoot",
          "$replaceWith",
          "$redact",
          "$collStats",
          "$indexStats");

  /** What the name of the helping count of an average ends with. */
  private static final String COUNT = "__count";

  private final List<BsonDocument> shard = new ArrayList<>();
  private final List<BsonDocument> merge = new ArrayList<>();
  private BsonDocument mergeSort = new BsonDocument();

  private Splitter() {}

  static Pipeline.Split split(List<BsonDocument> given) {
    List<BsonDocument> stages = new ArrayList<>();
    for (BsonDocument stage : given) {
      BsonValue byCount = stage.get("$sortByCount");
      if (byCount != null && stage.size() == 1) {
        stages.addAll(SortByCount.expanded(byCount));
      } else {
        stages.add(stage);
      }
    }
    Splitter splitter = new Splitter();
    if (!stages.isEmpty() && name(stages.getFirst()).equals("$geoNear")) {
      splitter.near(stages);
      return new Pipeline.Split(
          List.copyOf(splitter.shard), List.copyOf(splitter.merge), splitter.mergeSort);
    }
    int next = 0;
    while (next < stages.size() && PER_DOCUMENT.contains(name(stages.get(next)))) {
      splitter.shard.add(stages.get(next++));
    }
    if (next < stages.size()) {
      splitter.boundary(stages, next);
    }
    return new Pipeline.Split(
        List.copyOf(splitter.shard), List.copyOf(splitter.merge), splitter.mergeSort);
  }

  /** Each shard gives what is near, nearest first, and so it comes together. */
  private void near(List<BsonDocument> stages) {
    BsonDocument stage = stages.getFirst();
    shard.add(stage);
    List<BsonDocument> rest = stages.subList(1, stages.size());
    limitOnShards(rest);
    merge.addAll(rest);
    if (operand(stage) instanceof BsonDocument options
        && options.get("distanceField") instanceof BsonString field) {
      mergeSort = new BsonDocument(field.getValue(), new BsonInt32(1));
    }
  }

  private static String name(BsonDocument stage) {
    return stage.isEmpty() ? "" : stage.getFirstKey();
  }

  private static BsonValue operand(BsonDocument stage) {
    return java.util.Objects.requireNonNull(stage.get(stage.getFirstKey()));
  }

  private void boundary(List<BsonDocument> stages, int at) {
    BsonDocument stage = stages.get(at);
    List<BsonDocument> rest = stages.subList(at + 1, stages.size());
    switch (name(stage)) {
      case "$sort" -> {
        shard.add(stage);
        mergeSort = operand(stage).isDocument() ? operand(stage).asDocument() : new BsonDocument();
        limitOnShards(rest);
        merge.addAll(rest);
      }
      case "$limit", "$skip" -> {
        List<BsonDocument> all = stages.subList(at, stages.size());
        limitOnShards(all);
        merge.addAll(all);
      }
      case "$count" -> {
        shard.add(stage);
        String field = operand(stage).isString() ? operand(stage).asString().getValue() : "";
        merge.add(
            group(
                new BsonDocument("_id", BsonNull.VALUE).append(field, call("$sum", path(field)))));
        merge.add(new BsonDocument("$project", new BsonDocument("_id", new BsonInt32(0))));
        merge.addAll(rest);
      }
      case "$group" -> {
        if (!operand(stage).isDocument() || !group(operand(stage).asDocument(), rest)) {
          merge.add(stage);
          merge.addAll(rest);
        }
      }
      default -> {
        merge.add(stage);
        merge.addAll(rest);
      }
    }
  }

  /** A following {@code $limit} bounds what each shard needs to send. */
  private void limitOnShards(List<BsonDocument> rest) {
    long skipped = 0;
    for (BsonDocument stage : rest) {
      BsonValue operand = stage.size() == 1 ? operand(stage) : BsonNull.VALUE;
      boolean number =
          operand.isNumber() && Numbers.isLong(operand) && Numbers.toLong(operand) >= 0;
      if (number && name(stage).equals("$skip")) {
        skipped += Math.min(Numbers.toLong(operand), Long.MAX_VALUE / 4 - skipped);
      } else {
        if (number
            && name(stage).equals("$limit")
            && Numbers.toLong(operand) < Long.MAX_VALUE / 4) {
          shard.add(new BsonDocument("$limit", new BsonInt64(skipped + Numbers.toLong(operand))));
        }
        return;
      }
    }
  }

  private static BsonDocument group(BsonDocument spec) {
    return new BsonDocument("$group", spec);
  }

  private static BsonDocument call(String operator, BsonValue operand) {
    return new BsonDocument(operator, operand);
  }

  private static BsonValue path(String field) {
    return new BsonString("$" + field);
  }

  /** Splits a group whose accumulators all have partial results; false when one has none. */
  private boolean group(BsonDocument spec, List<BsonDocument> rest) {
    BsonDocument onShard = new BsonDocument();
    BsonDocument onMerge = new BsonDocument();
    BsonDocument finish = new BsonDocument();
    BsonDocument drop = new BsonDocument();
    for (Map.Entry<String, BsonValue> entry : spec.entrySet()) {
      String field = entry.getKey();
      if (field.equals("_id")) {
        onShard.append("_id", entry.getValue());
        onMerge.append("_id", path("_id"));
        continue;
      }
      if (!entry.getValue().isDocument() || entry.getValue().asDocument().size() != 1) {
        return false;
      }
      BsonDocument accumulator = entry.getValue().asDocument();
      String operator = accumulator.getFirstKey();
      BsonValue operand = operand(accumulator);
      @Nullable BsonDocument merged = merged(operator, field);
      if (merged != null) {
        onShard.append(
            field, operator.equals("$count") ? call("$sum", new BsonInt32(1)) : accumulator);
        onMerge.append(field, merged);
        switch (operator) {
          case "$push" -> finish.append(field, joined(field, "$concatArrays"));
          case "$addToSet" -> finish.append(field, joined(field, "$setUnion"));
          default -> {}
        }
      } else if (operator.equals("$avg") && !spec.containsKey(field + COUNT)) {
        average(field, operand, onShard, onMerge, finish, drop);
      } else {
        return false;
      }
    }
    shard.add(group(onShard));
    merge.add(group(onMerge));
    if (!finish.isEmpty()) {
      merge.add(new BsonDocument("$set", finish));
    }
    if (!drop.isEmpty()) {
      merge.add(new BsonDocument("$project", drop));
    }
    merge.addAll(rest);
    return true;
  }

  private static @Nullable BsonDocument merged(String operator, String field) {
    return switch (operator) {
      case "$sum", "$min", "$max", "$mergeObjects" -> call(operator, path(field));
      case "$count" -> call("$sum", path(field));
      case "$push", "$addToSet" -> call("$push", path(field));
      default -> null;
    };
  }

  private static BsonDocument joined(String field, String operator) {
    return call(
        "$reduce",
        new BsonDocument("input", path(field))
            .append("initialValue", new BsonArray())
            .append(
                "in",
                call(
                    operator,
                    new BsonArray(List.of(new BsonString("$$value"), new BsonString("$$this"))))));
  }

  private static void average(
      String field,
      BsonValue operand,
      BsonDocument onShard,
      BsonDocument onMerge,
      BsonDocument finish,
      BsonDocument drop) {
    String sum = field;
    String count = field + COUNT;
    onShard.append(sum, call("$sum", operand));
    onShard.append(
        count,
        call(
            "$sum",
            call(
                "$cond",
                new BsonArray(
                    List.of(call("$isNumber", operand), new BsonInt32(1), new BsonInt32(0))))));
    onMerge.append(sum, call("$sum", path(sum)));
    onMerge.append(count, call("$sum", path(count)));
    finish.append(
        field,
        call(
            "$cond",
            new BsonArray(
                List.of(
                    call("$gt", new BsonArray(List.of(path(count), new BsonInt32(0)))),
                    call("$divide", new BsonArray(List.of(path(sum), path(count)))),
                    BsonNull.VALUE))));
    drop.append(count, new BsonInt32(0));
  }
}
