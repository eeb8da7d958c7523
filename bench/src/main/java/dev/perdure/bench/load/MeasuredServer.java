// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** The server under test, in a separate process. */
final class MeasuredServer implements AutoCloseable {

  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin");

  private final Process process;
  private final int port;

  private MeasuredServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts the server and returns when it is ready. */
  static MeasuredServer start(LoadOptions options, String database, String... flags)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                JAVA.resolve("java").toString(),
                "-Xmx" + options.heap,
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options.javaOptions);
    command.addAll(
        List.of(
            "-cp",
            options.server,
            "dev.perdure.cli.Perdure",
            "serve",
            "--json",
            "--port=0",
            "--webhook-allow=127.0.0.1",
            "--database-url=" + database));
    command.addAll(List.of(flags));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String ready = process.inputReader().readLine();
    // The JVM may print lines of its own first.
    while (ready != null && !ready.startsWith("{")) {
      ready = process.inputReader().readLine();
    }
    if (ready == null) {
      throw new IOException(
          "The server did not start. Build its jar with mvn verify -DskipTests, or set --server to it");
    }
    String url = JsonMapper.shared().readTree(ready).path("url").asString();
    return new MeasuredServer(process, URI.create(url).getPort());
  }

  int port() {
    return port;
  }

  /** CPU time so far, in seconds. */
  double cpuSeconds() {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
  }

  /** The resident set size. */
  long residentBytes() {
    return procStatus("VmRSS") * 1024;
  }

  /** The number of platform threads. */
  long threads() {
    return procStatus("Threads");
  }

  private long procStatus(String name) {
    try {
      for (String line :
          Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
        if (line.startsWith(name + ":")) {
          return Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException("/proc/PID/status has no " + name);
  }

  /** The size of all reachable objects, after a full garbage collection. */
  long liveHeapBytes() throws IOException {
    Process jcmd =
        new ProcessBuilder(
                JAVA.resolve("jcmd").toString(), Long.toString(process.pid()), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String[] total = output.substring(output.lastIndexOf("Total")).strip().split("\\s+", -1);
    return Long.parseLong(total[2]);
  }

  /** Sends one request on a new connection and returns the body of the response. */
  String request(String method, String target, String json, int expectedStatus) throws IOException {
    try (KeepAliveConnection connection = KeepAliveConnection.open(port)) {
      int status = connection.send(KeepAliveConnection.request(port, method, target, json));
      if (status != expectedStatus) {
        throw new IOException(
            "%s %s returned %d: %s".formatted(method, target, status, connection.body()));
      }
      return connection.body();
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException interrupt) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
