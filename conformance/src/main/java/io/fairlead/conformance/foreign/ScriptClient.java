// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.foreign;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that runs as a script in a process of its own, and reports its steps by lines: {@code ok
 * STEP}, {@code not ok STEP: why}, and {@code step-down please}, after which it waits for a line
 * that says it was done.
 */
final class ScriptClient implements ForeignClient {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptClient.class);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String name;
  private final List<String> command;
  private final Map<String, String> environment;
  private final Path folder;

  /**
   * @param command the program and its arguments; {@code URI} among them stands for the connection
   *     string
   * @param environment further variables of the process
   */
  ScriptClient(String name, List<String> command, Map<String, String> environment, Path folder) {
    this.name = name;
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    this.folder = folder;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Deployment deployment, Steps steps) throws InterruptedException {
    Process process;
    try {
      process = start(deployment);
    } catch (IOException notStarted) {
      steps.failed("script", notStarted.toString());
      return;
    }
    Thread watchdog = killLater(process);
    try {
      boolean told = follow(process, deployment, steps);
      int exit = process.waitFor();
      if (exit != 0) {
        steps.failed("script", "exit " + exit + " (" + String.join(" ", command) + ")");
      } else if (!told) {
        steps.failed("script", "it reported no step");
      }
    } catch (IOException | IllegalStateException broken) {
      steps.failed("script", broken.toString());
    } finally {
      watchdog.interrupt();
      process.destroyForcibly();
    }
  }

  private Process start(Deployment deployment) throws IOException {
    List<String> words =
        command.stream().map(word -> word.equals("URI") ? deployment.uri() : word).toList();
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("FAIRLEAD_URI", deployment.uri());
    return builder.start();
  }

  private static boolean follow(Process process, Deployment deployment, Steps steps)
      throws IOException, InterruptedException {
    boolean told = false;
    // closed by the end of the process, which may come before what is told to it
    Writer input = process.outputWriter(StandardCharsets.UTF_8);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("ok ")) {
          told = true;
          steps.passed(line.substring(3));
        } else if (line.startsWith("not ok ")) {
          told = true;
          int colon = line.indexOf(": ");
          steps.failed(
              line.substring(7, colon < 0 ? line.length() : colon),
              colon < 0 ? "" : line.substring(colon + 2));
        } else if (line.equals("step-down please")) {
          deployment.stepDown().run();
          tell(input, "stepped down");
        }
      }
    } catch (UncheckedIOException broken) {
      throw broken.getCause();
    }
    return told;
  }

  /** A script that has ended meanwhile says why in the lines that are still to be read. */
  private static void tell(Writer input, String line) {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException ended) {
      LOG.info("the script did not wait for '{}': {}", line, ended.toString());
    }
  }

  private static Thread killLater(Process process) {
    return Thread.ofVirtual()
        .name("foreign client watchdog")
        .start(
            () -> {
              try {
                if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                  process.destroyForcibly();
                }
              } catch (InterruptedException done) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
