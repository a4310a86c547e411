// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.bson.BsonDocument.parse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.Transaction;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java blocks of {@code docs/engine.md}, which are to be found in this file as they are. */
class EngineManualTest {
  private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SPACE = Pattern.compile("\\s+");

  @Test
  void what_the_manual_writes_is_read_as_it_says() {
    Namespace orders = Namespace.of("shop", "orders");
    Engine engine = Engine.open(EngineOptions.defaults());

    engine.write(
        WriteContext.plain(),
        writes -> {
          writes.createIndexes(orders, List.of(IndexSpec.on(parse("{state: 1, total: -1}"))));
          writes.insert(orders, parse("{_id: 1, state: 'new', total: 12}"));
          writes.insert(orders, parse("{_id: 2, state: 'new', total: 30}"));
          return writes.insert(orders, parse("{_id: 3, state: 'paid', total: 7}")).id();
        });
    long changed =
        engine.write(
            WriteContext.plain(),
            writes ->
                writes
                    .update(
                        orders,
                        UpdateRequest.many(
                            parse("{total: {$gt: 20}}"), parse("{$inc: {total: -5}}")))
                    .modified());
    assertThat(changed).isEqualTo(1);

    Snapshot snapshot = engine.snapshot();
    FindRequest request =
        FindRequest.matching(parse("{state: 'new'}"))
            .withSort(parse("{total: -1}"))
            .withProjection(parse("{total: 1}"));
    List<String> found = new ArrayList<>();
    try (DocumentCursor cursor = snapshot.find(orders, request, engine.operation())) {
      for (RawBsonDocument next = cursor.next(); next != null; next = cursor.next()) {
        found.add(next.toJson());
      }
    }
    BsonDocument plan =
        snapshot.explain(orders, request, ExplainVerbosity.EXECUTION_STATS, engine.operation());

    AggregateRequest sums =
        AggregateRequest.of(List.of(parse("{$group: {_id: '$state', sum: {$sum: '$total'}}}")));
    try (DocumentCursor cursor = snapshot.aggregate(orders, sums, engine.operation())) {
      BsonDocument first = cursor.next();
      assertThat(first).containsKey("sum");
    }
    assertThat(found).containsExactly("{\"_id\": 2, \"total\": 25}", "{\"_id\": 1, \"total\": 12}");
    assertThat(plan.toJson()).contains("IXSCAN", "state_1_total_-1");

    refusals(engine, orders);
    transactions(engine, orders);
    bounds(engine, orders);
    collections(engine);
  }

  private static void refusals(Engine engine, Namespace orders) {
    EngineException duplicate =
        assertThrows(
            EngineException.class,
            () ->
                engine.write(
                    WriteContext.plain(), writes -> writes.insert(orders, parse("{_id: 1}"))));
    int code = duplicate.code();
    assertThat(code).isEqualTo(11000);
  }

  private static void transactions(Engine engine, Namespace orders) {
    try (Transaction transaction = engine.begin(WriteContext.plain())) {
      transaction.writes().delete(orders, DeleteRequest.many(parse("{state: 'paid'}")));
      long inside = transaction.writes().snapshot().size(orders);
      long outside = engine.snapshot().size(orders);
      transaction.commit();
      assertThat(inside).isEqualTo(2);
      assertThat(outside).isEqualTo(3);
    }
    assertThat(engine.snapshot().size(orders)).isEqualTo(2);
  }

  private static void bounds(Engine engine, Namespace orders) {
    long deadline = System.nanoTime() + Duration.ofMillis(50).toNanos();
    OperationContext bounded =
        engine
            .operation()
            .withInterrupt(
                () -> {
                  if (System.nanoTime() - deadline > 0) {
                    throw new EngineException(50, "operation exceeded time limit");
                  }
                });
    String endless =
        "{$expr: {$gt: [{$reduce: {input: {$range: [0, 500000]}, initialValue: 0, in: {$add:"
            + " ['$$value', {$size: {$range: [0, 1000]}}]}}}, -1]}}";
    assertThat(
            assertThrows(
                    EngineException.class,
                    () ->
                        engine
                            .snapshot()
                            .count(orders, FindRequest.matching(parse(endless)), bounded))
                .code())
        .isEqualTo(50);
  }

  private static void collections(Engine engine) {
    engine.write(
        WriteContext.plain(),
        writes -> {
          writes.createCollection(
              Namespace.of("shop", "open"),
              CollectionOptions.of(
                  parse("{viewOn: 'orders', pipeline: [{$match: {state: 'new'}}]}")));
          IndexSpec expiring =
              new IndexSpec(parse("{key: {at: 1}, name: 'expiring', expireAfterSeconds: 60}"));
          return writes.createIndexes(Namespace.of("shop", "visits"), List.of(expiring)).after();
        });
    Snapshot snapshot = engine.snapshot();
    assertThat(snapshot.count(Namespace.of("shop", "open"), FindRequest.all(), engine.operation()))
        .isEqualTo(2);
    assertThat(snapshot.expiring()).containsExactly(Namespace.of("shop", "visits"));
    engine.close();
  }

  @Test
  void what_was_waited_for_is_there_again(@TempDir Path directory) throws Exception {
    Namespace orders = Namespace.of("shop", "orders");
    try (Engine durable = Engine.open(EngineOptions.defaults(), directory)) {
      durable.write(WriteContext.plain(), writes -> writes.insert(orders, parse("{_id: 1}")));
      durable.awaitDurable();
    }
    try (Engine again = Engine.open(EngineOptions.defaults(), directory)) {
      long kept = again.snapshot().size(orders);
      assertThat(kept).isEqualTo(1);
    }
  }

  @Test
  void every_block_of_the_manual_is_in_this_file() throws IOException {
    Path root = root();
    String manual = Files.readString(root.resolve("docs/engine.md"));
    String source =
        squeezed(
            Files.readString(
                root.resolve(
                    "engine/src/test/java/io/fairlead/engine/manual/EngineManualTest.java")));
    List<String> blocks =
        BLOCK.matcher(manual).results().map(each -> squeezed(each.group(1))).toList();
    assertThat(blocks).hasSize(7);
    for (String block : blocks) {
      assertThat(statements(block)).allSatisfy(each -> assertThat(source).contains(each));
    }
  }

  /** Behind each the test may have something of its own. */
  private static Stream<String> statements(String block) {
    return Stream.of(block.split("(?<=;)", -1)).filter(each -> !each.matches("}*"));
  }

  private static String squeezed(String code) {
    return SPACE.matcher(code).replaceAll("");
  }

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.isDirectory(here.resolve("docs")) ? here : here.resolve("..");
  }
}
