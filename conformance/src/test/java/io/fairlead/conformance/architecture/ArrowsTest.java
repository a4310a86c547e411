// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ArrowsTest {

  /** Which other modules a module may know; the picture in ARCHITECTURE.md as data. */
  private static final Map<String, List<String>> MAY_KNOW =
      Map.ofEntries(
          Map.entry("topology", List.of()),
          Map.entry("wire", List.of()),
          Map.entry("engine", List.of()),
          Map.entry("mapper", List.of()),
          Map.entry("cluster", List.of("topology", "wire")),
          Map.entry("driver", List.of("cluster", "topology", "wire")),
          Map.entry("server", List.of("engine", "wire", "topology")),
          Map.entry("router", List.of("cluster", "engine", "wire", "topology")),
          Map.entry(
              "embedded", List.of("server", "router", "engine", "cluster", "wire", "topology")));

  private static final JavaClasses FAIRLEAD =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.fairlead");

  static List<String> modules() {
    return MAY_KNOW.keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void a_module_knows_only_those_below_it(String module) {
    List<String> others = new ArrayList<>();
    for (String other : MAY_KNOW.keySet()) {
      if (!other.equals(module) && !MAY_KNOW.getOrDefault(module, List.of()).contains(other)) {
        others.add("io.fairlead." + other + "..");
      }
    }
    others.addAll(List.of("io.fairlead.cli..", "io.fairlead.conformance..", "io.fairlead.bench.."));
    noClasses()
        .that()
        .resideInAPackage("io.fairlead." + module + "..")
        .should()
        .dependOnClassesThat(resideInAnyPackage(others.toArray(String[]::new)))
        .because(
            "imports run downward only: move the code to the module that may know both, "
                + "or hand the value in through an interface of the lower one")
        .check(FAIRLEAD);
  }

  @Test
  void every_module_is_seen_by_these_rules() {
    for (String module : MAY_KNOW.keySet()) {
      assertThat(
              FAIRLEAD.stream().filter(c -> c.getPackageName().startsWith("io.fairlead." + module)))
          .as(module)
          .isNotEmpty();
    }
  }

  @Test
  void topology_has_no_network_no_thread_and_no_clock() {
    noClasses()
        .that()
        .resideInAPackage("io.fairlead.topology..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.net..", "java.io..", "java.nio..", "java.util.concurrent..", "org.slf4j.."))
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .because("topology is pure: time, chance and the network are arguments")
        .check(FAIRLEAD);
  }

  @Test
  void the_pure_core_never_asks_for_the_time_or_for_chance() {
    noClasses()
        .that()
        .resideInAPackage("io.fairlead.topology..")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(ThreadLocalRandom.class, "current")
        .because("the shell owns the clock and the random generator and hands them in")
        .check(FAIRLEAD);
  }

  @Test
  void the_engine_knows_no_network() {
    noClasses()
        .that()
        .resideInAPackage("io.fairlead.engine..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.net..", "com.mongodb..")
                .or(assignableTo(SelectableChannel.class))
                .or(assignableTo(NetworkChannel.class)))
        .because("the engine is a library of documents; the server puts it on the network")
        .check(FAIRLEAD);
  }

  @Test
  void nobody_touches_the_internals_of_the_public_driver() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("com.mongodb.internal..", "com.mongodb.client.internal.."))
        .because("only the public types of org.mongodb stay compatible between its releases")
        .check(FAIRLEAD);
  }

  @Test
  void only_the_edges_know_the_public_driver() {
    noClasses()
        .that()
        .resideInAnyPackage("io.fairlead.wire..", "io.fairlead.topology..", "io.fairlead.server..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("com.mongodb.."))
        .because("these modules depend on org.mongodb:bson alone")
        .check(FAIRLEAD);
  }
}
