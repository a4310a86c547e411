// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.durability;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A {@link KilledMember} that runs, seen from outside. Used by one thread. */
final class MemberProcess {
  private static final long READY_SECONDS = 60;

  private final Process process;
  private final Thread listening;
  private final CountDownLatch ready = new CountDownLatch(1);

  private MemberProcess(Process process, LongConsumer leads) {
    this.process = process;
    this.listening = Thread.ofPlatform().daemon().name("member-says").start(() -> listen(leads));
  }

  /**
   * Starts a member on its directory and waits until it serves.
   *
   * @param log where it writes what goes wrong
   * @param leads takes the term of each of its elections
   * @return null when it did not start
   */
  static @Nullable MemberProcess start(
      int place, String hosts, Path directory, String setId, Path log, LongConsumer leads)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                classPath(),
                KilledMember.class.getName(),
                String.valueOf(place),
                hosts,
                directory.toString(),
                setId)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    MemberProcess member = new MemberProcess(process, leads);
    if (member.ready.await(READY_SECONDS, TimeUnit.SECONDS) && process.isAlive()) {
      return member;
    }
    member.kill();
    return null;
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void listen(LongConsumer leads) {
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.equals("ready")) {
          ready.countDown();
        } else if (line.startsWith(KilledMember.LEADS)) {
          leads.accept(Long.parseLong(line.substring(KilledMember.LEADS.length())));
        }
      }
    } catch (IOException killed) {
      // what it had not said yet is lost with it
      ready.countDown();
      return;
    }
    ready.countDown();
  }

  /** SIGKILL; returns when it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
    listening.join(TimeUnit.SECONDS.toMillis(5));
  }
}
