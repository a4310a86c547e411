// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server that runs in a JVM of its own until it is closed. Used by one thread. */
final class ServerProcess implements AutoCloseable {
  private static final String HEAP = "-Xmx2g";
  private static final long END_SECONDS = 10;

  private final Process process;
  private final BufferedReader out;
  private final Writer in;
  private final int port;

  private ServerProcess(Process process) throws IOException {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.in =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.port = Integer.parseInt(line());
  }

  /** Starts one and waits until it listens; both kinds with the same options. */
  static ServerProcess start(String kind) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(HEAP);
    command.addAll(
        List.of(
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            ServedChild.class.getName(),
            kind));
    String profile = System.getProperty("bench.child." + kind);
    if (profile != null) {
      command.addAll(1, List.of(profile.split(" ", -1)));
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      return new ServerProcess(process);
    } catch (IOException | RuntimeException failure) {
      process.destroyForcibly();
      throw failure;
    }
  }

  String connectionString() {
    return "mongodb://127.0.0.1:" + port + "/";
  }

  /** User and system time of the whole process so far. */
  Duration cpu() {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IllegalStateException("this system does not tell CPU times"));
  }

  /** Bytes that are reachable in it. */
  long liveHeapBytes() throws IOException {
    in.write("heap\n");
    in.flush();
    return Long.parseLong(line());
  }

  private String line() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the server's process ended");
    }
    return line;
  }

  /** The child ends when its input does. */
  @Override
  public void close() {
    try {
      in.close();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      out.close();
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
