// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import io.fairlead.conformance.unified.entity.ClientFactory;
import io.fairlead.conformance.unified.format.InvalidFileException;
import io.fairlead.conformance.unified.format.TestCase;
import io.fairlead.conformance.unified.format.TestFile;
import io.fairlead.conformance.unified.format.UnsupportedVersionException;
import io.fairlead.conformance.unified.run.Suite.Expectation;
import io.fairlead.conformance.unified.run.Suite.SpecFile;
import io.fairlead.conformance.unified.run.Verdict.Failed;
import io.fairlead.conformance.unified.run.Verdict.Passed;
import io.fairlead.conformance.unified.run.Verdict.Reason;
import io.fairlead.conformance.unified.run.Verdict.Skipped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs suites with one client. A deployment of each topology is started when the first test asks
 * for it, and stopped at the end. Used by one thread.
 */
public final class SuiteRunner implements AutoCloseable {
  private final String client;
  private final ClientFactory factory;
  private final Predicate<String> wanted;
  private final KnownFailures known = KnownFailures.listed();
  private final Map<TopologyKind, TestDeployment> deployments = new EnumMap<>(TopologyKind.class);

  /**
   * @param client the name of the client, as known failures name it
   * @param only runs the files and tests of which this is a part; null: all
   */
  public SuiteRunner(String client, ClientFactory factory, @Nullable Pattern only) {
    this.client = client;
    this.factory = factory;
    this.wanted = only == null ? name -> true : only.asPredicate();
  }

  /**
   * Runs a suite and tells each result as it comes.
   *
   * @param topologies where tests run; a test runs on each of them that it admits
   */
  public void run(Path specs, String suite, Set<TopologyKind> topologies, Consumer<Result> results)
      throws InterruptedException {
    for (SpecFile file : Suite.find(specs, suite).files()) {
      run(suite, file, topologies, result -> results.accept(withKnown(result)));
    }
  }

  private Result withKnown(Result result) {
    return known
        .reason(client, result)
        .map(reason -> result.with(judged(result.verdict(), reason)))
        .orElse(result);
  }

  /** A test that is known to fail has to fail, by what it compares and not by a crash. */
  private static Verdict judged(Verdict verdict, String reason) {
    return switch (verdict) {
      case Failed failed when failed.accident() -> failed;
      case Failed failed -> new Skipped(Reason.KNOWN, reason);
      case Passed passed -> new Failed("is listed as a known failure, and passes: " + reason);
      case Skipped skipped -> skipped;
    };
  }

  private void run(
      String suite, SpecFile file, Set<TopologyKind> topologies, Consumer<Result> results)
      throws InterruptedException {
    String text = file.text();
    TestFile tests;
    try {
      if (file.expectation() == Expectation.PASS && !TestFile.isOne(text)) {
        return; // of an older format, run elsewhere
      }
      tests = TestFile.parse(text);
    } catch (InvalidFileException invalid) {
      report(suite, file, refusal(file, invalid), results);
      return;
    }
    if (file.expectation() == Expectation.REFUSED) {
      report(suite, file, new Failed("an invalid file was not refused"), results);
      return;
    }
    reportUnknown(suite, file, tests, results);
    for (TestCase test : tests.tests()) {
      if (wanted.test(file.name() + ": " + test.description())) {
        run(suite, file, tests, test, topologies, results);
      }
    }
  }

  /** A file that is to be read may be refused for its version only, and only if it is to fail. */
  private static Verdict refusal(SpecFile file, InvalidFileException invalid) {
    boolean refusable =
        switch (file.expectation()) {
          case PASS -> false;
          case FAIL -> invalid instanceof UnsupportedVersionException;
          case REFUSED -> !(invalid instanceof UnsupportedVersionException);
        };
    return refusable ? new Passed() : new Failed("the file is refused: " + invalid.getMessage());
  }

  /** A list that names what is not there hides that a test was renamed. */
  private void reportUnknown(
      String suite, SpecFile file, TestFile tests, Consumer<Result> results) {
    Set<String> unknown = new LinkedHashSet<>(known.tests(client, suite, file.name()));
    tests.tests().forEach(test -> unknown.remove(test.description()));
    if (!unknown.isEmpty()) {
      report(
          suite,
          file,
          new Failed("known failures name tests that the file does not have: " + unknown),
          results);
    }
  }

  private void report(String suite, SpecFile file, Verdict verdict, Consumer<Result> results) {
    if (wanted.test(file.name())) {
      results.accept(
          new Result(suite, file.name(), "the file itself", null, verdict, Duration.ZERO));
    }
  }

  private void run(
      String suite,
      SpecFile file,
      TestFile tests,
      TestCase test,
      Set<TopologyKind> topologies,
      Consumer<Result> results)
      throws InterruptedException {
    List<Result> ran = new ArrayList<>();
    Set<String> notRun = new LinkedHashSet<>();
    for (TopologyKind kind : TopologyKind.values()) {
      if (!topologies.contains(kind)
          || !Requirements.mayBe(tests.runOnRequirements(), kind)
          || !Requirements.mayBe(test.runOnRequirements(), kind)) {
        continue;
      }
      long start = System.nanoTime();
      Verdict verdict = judged(file, new TestRun(tests, test, deployment(kind), factory).verdict());
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      if (verdict instanceof Skipped(Reason reason, String why) && reason == Reason.REQUIREMENT) {
        notRun.add(why);
      } else {
        ran.add(new Result(suite, file.name(), test.description(), kind, verdict, took));
      }
    }
    if (ran.isEmpty()) {
      ran.add(
          new Result(
              suite,
              file.name(),
              test.description(),
              null,
              new Skipped(
                  Reason.REQUIREMENT,
                  notRun.isEmpty() ? "another topology" : String.join("; ", notRun)),
              Duration.ZERO));
    }
    ran.forEach(results);
  }

  /** A test that is to fail passes when it does. */
  private static Verdict judged(SpecFile file, Verdict verdict) {
    if (file.expectation() != Expectation.FAIL) {
      return verdict;
    }
    return switch (verdict) {
      case Passed passed -> new Failed("should have failed, and did not");
      case Failed failed -> failed.accident() ? failed : new Passed();
      case Skipped skipped -> skipped;
    };
  }

  private TestDeployment deployment(TopologyKind kind) {
    return deployments.computeIfAbsent(kind, TestDeployment::start);
  }

  @Override
  public void close() {
    deployments.values().forEach(TestDeployment::close);
    deployments.clear();
  }
}
