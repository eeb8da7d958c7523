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

/** The server that is measured: a process of its own, with a heap of its own. */
final class MeasuredServer implements AutoCloseable {

  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin");

  private final Process process;
  private final int port;

  private MeasuredServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts it, and returns when it answers. */
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
    // Java itself may have something to say before.
    while (ready != null && !ready.startsWith("{")) {
      ready = process.inputReader().readLine();
    }
    if (ready == null) {
      throw new IOException(
          "the server did not start; --server must name its jar, built by mvn verify -DskipTests");
    }
    String url = JsonMapper.shared().readTree(ready).path("url").asString();
    return new MeasuredServer(process, URI.create(url).getPort());
  }

  int port() {
    return port;
  }

  /** Processor time so far, in seconds. */
  double cpuSeconds() {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
  }

  /** What is in memory now, as the system sees it. */
  long residentBytes() {
    return procStatus("VmRSS") * 1024;
  }

  /** Threads of the system; virtual ones are not among them. */
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
    throw new IllegalStateException("the system tells no " + name);
  }

  /** The bytes of all that is still reachable, after a whole collection. */
  long liveHeapBytes() throws IOException {
    Process jcmd =
        new ProcessBuilder(
                JAVA.resolve("jcmd").toString(), Long.toString(process.pid()), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String[] total = said.substring(said.lastIndexOf("Total")).strip().split("\\s+", -1);
    return Long.parseLong(total[2]);
  }

  /** One request on a connection of its own. */
  String request(String method, String target, String json, int status) throws IOException {
    try (KeepAliveConnection connection = KeepAliveConnection.open(port)) {
      int answered = connection.send(KeepAliveConnection.request(port, method, target, json));
      if (answered != status) {
        throw new IOException(
            "%s %s was answered %d: %s".formatted(method, target, answered, connection.body()));
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
