// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Java process of a crash trial, with the same JVM binary and class path but another main class.
 * It exits when its input is closed, and therefore also when this JVM dies.
 */
final class ChildProcess implements AutoCloseable {

  private static final int LIMIT_SECONDS = 60;

  private final String name;
  private final Path errors;
  private final Process process;
  private final CompletableFuture<String> firstLine = new CompletableFuture<>();
  private @Nullable Instant killedAt;

  private ChildProcess(String name, Path errors, Process process) {
    this.name = name;
    this.errors = errors;
    this.process = process;
    Thread.ofVirtual().start(() -> firstLine.complete(readLine()));
  }

  static ChildProcess start(Class<?> main, Path folder, String name, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve(name + ".err");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    if (main == SubmitterProcess.class) {
      // A file keeps the output even if it is not read in time.
      builder.redirectOutput(output(folder, name).toFile());
    }
    return new ChildProcess(name, errors, builder.start());
  }

  static Path output(Path folder, String name) {
    return folder.resolve(name + ".out");
  }

  String name() {
    return name;
  }

  WorkerRun run() {
    return new WorkerRun(name, killedAt);
  }

  /** Waits until the process reports that it is ready. */
  void awaitReady() {
    String line = firstLine.copy().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    if (!WorkerProcess.READY.equals(line)) {
      throw new IllegalStateException(name + " did not start: " + line + "\n" + lastErrors());
    }
  }

  private String readLine() {
    try {
      // Not closed, because the process may still be running.
      BufferedReader reader = process.inputReader();
      return "" + reader.readLine();
    } catch (IOException | UncheckedIOException e) {
      return e.toString();
    }
  }

  /** Sends SIGKILL. */
  void kill() throws InterruptedException {
    if (!process.isAlive()) {
      throw new IllegalStateException(name + " exited before it was killed\n" + lastErrors());
    }
    killedAt = Instant.now();
    process.destroyForcibly();
    await();
  }

  /** Closes the process's input, waits for it to exit, and checks its exit code. */
  void stop() throws IOException, InterruptedException {
    process.outputWriter().close();
    await();
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          name + " ended with " + process.exitValue() + "\n" + lastErrors());
    }
  }

  private void await() throws InterruptedException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(name + " did not exit\n" + lastErrors());
    }
  }

  /** Returns the lines on the standard error that start with this text. */
  List<String> errors(String prefix) throws IOException {
    return Files.readAllLines(errors).stream().filter(line -> line.startsWith(prefix)).toList();
  }

  private String lastErrors() {
    try {
      List<String> lines = Files.readAllLines(errors);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
