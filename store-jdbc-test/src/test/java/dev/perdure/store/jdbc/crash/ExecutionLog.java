// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.crash.Execution.End;
import dev.perdure.store.jdbc.crash.Execution.EndKind;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A log that handlers write themselves, independent of any store: one line before and one line
 * after the work. Each line is a single write to the operating system, so a killed process leaves
 * complete lines, except perhaps the last one.
 */
final class ExecutionLog implements AutoCloseable {

  private final OutputStream file;

  private ExecutionLog(OutputStream file) {
    this.file = file;
  }

  static ExecutionLog append(Path path) throws IOException {
    // Not a channel, because an interrupted handler would close it for all handlers.
    return new ExecutionLog(new FileOutputStream(path.toFile(), true));
  }

  void start(Task task) throws IOException {
    write("start", task, "" + task.worker());
  }

  void end(Task task, EndKind kind) throws IOException {
    write("end", task, kind.name());
  }

  private void write(String event, Task task, String more) throws IOException {
    String line =
        String.join(
            " ",
            event,
            task.id().toString(),
            "" + task.retryCounters().attempt(),
            "" + task.epoch(),
            more,
            Instant.now() + "\n");
    file.write(line.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Reads all executions that a process logged. */
  static List<Execution> read(Path path, WorkerRun process) throws IOException {
    List<Execution> all = new ArrayList<>();
    Map<String, Integer> open = new HashMap<>();
    for (String line : wholeLines(path)) {
      String[] words = line.split(" ");
      String lease = words[1] + " " + words[3];
      Instant at = Instant.parse(words[5]);
      if (words[0].equals("start")) {
        open.put(lease, all.size());
        all.add(started(words, process, at));
      } else {
        all.set(
            open.get(lease),
            all.get(open.get(lease)).ended(new End(at, EndKind.valueOf(words[4]))));
      }
    }
    return all;
  }

  private static Execution started(String[] words, WorkerRun process, Instant at) {
    return new Execution(
        UUID.fromString(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        words[4],
        process,
        at,
        null);
  }

  /** Returns the lines of a file without an incomplete last line. */
  static List<String> wholeLines(Path path) throws IOException {
    if (!Files.exists(path)) {
      return List.of();
    }
    String text = Files.readString(path);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }
}
