// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.fairlead.driver.FairleadClients;
import io.fairlead.driver.Routing;
import io.fairlead.topology.readpreference.LatencyWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** The Java blocks of {@code README.md}: they are to be found in this file, and work. */
final class ReadmeTest {
  private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMENT = Pattern.compile("//[^/\"]*$", Pattern.MULTILINE);
  private static final Pattern SPACE = Pattern.compile("\\s+");

  @Test
  void a_collection_reads_from_the_near_ones() {
    try (EmbeddedCluster started = EmbeddedCluster.sharded(1, 1).routers(1).start()) {
      List<Document> seen = new ArrayList<>();
      String uri = started.connectionString();
      try (MongoClient client = FairleadClients.create(uri)) {
        MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
        orders.insertOne(new Document("_id", 1).append("state", "ordered"));

        // near ones only, for this collection: within 20 % of the fastest, never slower than 30 ms
        var near =
            Routing.on(orders.withReadPreference(ReadPreference.nearest()))
                .latencyWindow(new LatencyWindow.Proportional(20))
                .maxPing(Duration.ofMillis(30));
        near.find().forEach(seen::add);
      }
      assertThat(seen).containsExactly(new Document("_id", 1).append("state", "ordered"));
    }
  }

  @Test
  void writes_go_on_at_the_new_primary() {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = FairleadClients.create(cluster.connectionString())) {
      cluster.replicaSet().awaitPrimary(Duration.ofSeconds(5)).kill();
      client.getDatabase("shop").getCollection("orders").insertOne(new Document("_id", 1));
      assertThat(client.getDatabase("shop").getCollection("orders").countDocuments()).isEqualTo(1);
    }
  }

  @Test
  void every_block_of_the_readme_is_in_this_file() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path root = Files.exists(here.resolve("README.md")) ? here : here.resolve("..");
    String source =
        squeezed(
                Files.readString(
                    root.resolve("embedded/src/test/java/io/fairlead/embedded/ReadmeTest.java")))
            .replace("create(uri)", "create(\"mongodb://127.0.0.1:27017/\")")
            .replace("seen::add", "System.out::println");
    List<String> blocks =
        BLOCK
            .matcher(Files.readString(root.resolve("README.md")))
            .results()
            .map(each -> squeezed(each.group(1)))
            .toList();
    assertThat(blocks).hasSize(2);
    for (String block : blocks) {
      assertThat(statements(block)).allSatisfy(each -> assertThat(source).contains(each));
    }
  }

  /** Behind each the test may have something of its own. */
  private static Stream<String> statements(String block) {
    return Stream.of(block.split("(?<=;)", -1)).filter(each -> !each.matches("}*"));
  }

  private static String squeezed(String code) {
    return SPACE.matcher(COMMENT.matcher(code).replaceAll("")).replaceAll("");
  }
}
