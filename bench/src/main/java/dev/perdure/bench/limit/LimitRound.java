// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.limit;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.engine.Batch;
import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/** One round: tasks are submitted, then nodes in processes of their own run them. */
final class LimitRound {

  private static final Duration POLL = Duration.ofMillis(1);
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final String scenario;
  private final List<NewTask> newTasks;
  private final BenchDatabase database;
  private final int tasks;

  LimitRound(LimitScenario scenario, BenchDatabase database, int tasks) {
    this(scenario.toString(), scenario.tasks(tasks), database);
  }

  LimitRound(String scenario, List<NewTask> tasks, BenchDatabase database) {
    this.scenario = scenario;
    this.newTasks = tasks;
    this.database = database;
    this.tasks = tasks.size();
  }

  /**
   * What was measured.
   *
   * @param tasksPerSecond from the start of the nodes to the last end
   * @param executions what the handlers recorded
   */
  record Result(double tasksPerSecond, List<Execution> executions) {

    /** The most executions of one key that ran at the same time. */
    int mostAtOnce() {
      Map<Integer, TreeMap<Long, Integer>> changes = new HashMap<>();
      for (Execution one : executions) {
        TreeMap<Long, Integer> ofKey = changes.computeIfAbsent(one.key(), key -> new TreeMap<>());
        ofKey.merge(one.from(), 1, Integer::sum);
        ofKey.merge(one.to(), -1, Integer::sum);
      }
      int most = 0;
      for (TreeMap<Long, Integer> ofKey : changes.values()) {
        int running = 0;
        for (int change : ofKey.values()) {
          running += change;
          most = Math.max(most, running);
        }
      }
      return most;
    }
  }

  /** One run of the handler, in microseconds. */
  record Execution(int key, long from, long to) {}

  Result run(int processes) throws Exception {
    try (JdbcStore store = JdbcStore.open(database.url())) {
      Engine.on(store).submit(Batch.of(newTasks));
    }
    database.checkpoint();
    Path folder = Files.createTempDirectory("limit-bench");
    List<Process> workers = new ArrayList<>();
    List<BufferedReader> outputs = new ArrayList<>();
    AtomicIntegerArray ended = new AtomicIntegerArray(processes);
    try {
      for (int i = 0; i < processes; i++) {
        Process worker = start(folder.resolve("executions" + i));
        workers.add(worker);
        BufferedReader output = worker.inputReader(StandardCharsets.UTF_8);
        outputs.add(output);
        if (!"ready".equals(output.readLine())) {
          throw new IllegalStateException("a worker did not start");
        }
      }
      long start = System.nanoTime();
      for (int i = 0; i < processes; i++) {
        int index = i;
        send(workers.get(i));
        Thread.ofVirtual().start(() -> count(outputs.get(index), ended, index));
      }
      double seconds = (await(ended) - start) / 1e9;
      for (Process worker : workers) {
        send(worker);
      }
      for (Process worker : workers) {
        if (!worker.waitFor(1, TimeUnit.MINUTES) || worker.exitValue() != 0) {
          throw new IllegalStateException("a worker did not stop");
        }
      }
      check();
      return new Result(tasks / seconds, executions(folder, processes));
    } finally {
      workers.forEach(Process::destroyForcibly);
    }
  }

  private Process start(Path executions) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            LimitWorker.class.getName(),
            database.url(),
            executions.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void send(Process worker) throws IOException {
    worker.getOutputStream().write('\n');
    worker.getOutputStream().flush();
  }

  private static void count(BufferedReader output, AtomicIntegerArray ended, int index) {
    output.lines().forEach(line -> ended.set(index, Integer.parseInt(line)));
  }

  private long await(AtomicIntegerArray ended) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      int sum = 0;
      for (int i = 0; i < ended.length(); i++) {
        sum += ended.get(i);
      }
      if (sum >= tasks) {
        return System.nanoTime();
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("%s: %d of %d ended".formatted(scenario, sum, tasks));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private void check() throws SQLException {
    long succeeded =
        database.queryLong("SELECT count(*) FROM perdure_task_state WHERE state = 'success'");
    long used =
        database.queryLong(
            """
            SELECT COALESCE(sum(used), 0) - (
              SELECT COALESCE(sum(freed), 0) FROM perdure_limit_event)
            FROM perdure_limit
            """);
    if (succeeded != tasks || used != 0) {
      throw new IllegalStateException(
          "%s: %d of %d succeeded, %d places are in use"
              .formatted(scenario, succeeded, tasks, used));
    }
  }

  private static List<Execution> executions(Path folder, int processes) throws IOException {
    List<Execution> executions = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      for (String line : Files.readAllLines(folder.resolve("executions" + i))) {
        String[] fields = line.split(" ", -1);
        executions.add(
            new Execution(
                Integer.parseInt(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2])));
      }
    }
    return executions;
  }
}
