// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Prints tasks per second of the store and of hand-written JDBC on the same tables. Run it from the
 * test class path; the arguments are a directory and the number of tasks.
 */
final class SqliteBenchmark {

  private static final int BATCH = 500;
  private static final int THREADS = 16;
  private static final int ROUNDS = 3;
  private static final String PAYLOAD = "{\"n\":12345,\"to\":\"someone@example.org\"}";

  private final Path folder;
  private final int tasks;

  private SqliteBenchmark(Path folder, int tasks) {
    this.folder = folder;
    this.tasks = tasks;
  }

  public static void main(String[] arguments) throws Exception {
    SqliteBenchmark benchmark =
        new SqliteBenchmark(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    for (int round = 0; round < ROUNDS; round++) {
      benchmark.store();
      benchmark.baseline();
    }
  }

  private void store() throws IOException {
    Path file = fresh();
    try (SqliteStore store = SqliteTestTasks.open(file)) {
      print("store submit × 500", tasks, () -> submit(store));
      print("store claim + apply × 500", tasks, () -> drain(store));
      long before = store.commits();
      int singles = tasks / 5;
      print("store submit × 1, 16 threads", singles, () -> submitSingles(store, singles));
      System.out.printf(
          "  %.1f operations per commit%n", (double) singles / (store.commits() - before));
    }
  }

  private void baseline() throws IOException, SQLException {
    Path file = fresh();
    SqliteTestTasks.open(file).close();
    try (RawJdbcBaseline raw = new RawJdbcBaseline(file)) {
      print("raw submit × 500", tasks, () -> raw.submit(tasks, BATCH, PAYLOAD));
      print("raw claim + apply × 500", tasks, () -> raw.drain(BATCH));
    }
  }

  private void submit(SqliteStore store) {
    for (int i = 0; i < tasks / BATCH; i++) {
      store.submit(SqliteTestTasks.many(BATCH, PAYLOAD));
    }
  }

  private static void submitSingles(SqliteStore store, int singles) {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int thread = 0; thread < THREADS; thread++) {
        threads.execute(
            () -> {
              for (int i = 0; i < singles / THREADS; i++) {
                store.submit(SqliteTestTasks.many(1, PAYLOAD));
              }
            });
      }
    }
  }

  private static void drain(SqliteStore store) {
    TaskLifecycle lifecycle = new TaskLifecycle(LossLimit.DEFAULT);
    List<Lease> leases = store.claim(SqliteTestTasks.upTo(BATCH)).leases();
    while (!leases.isEmpty()) {
      List<TaskChange> changes =
          leases.stream()
              .map(Lease::task)
              .map(
                  task ->
                      lifecycle.settle(task, new Outcome.Succeeded(null), task.times().updatedAt()))
              .toList();
      store.apply(changes);
      leases = store.claim(SqliteTestTasks.upTo(BATCH)).leases();
    }
  }

  private Path fresh() throws IOException {
    Path file = folder.resolve("benchmark.db");
    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(Path.of(file + suffix));
    }
    return file;
  }

  /** The code to measure. */
  @FunctionalInterface
  private interface Action {
    void run() throws SQLException;
  }

  private static void print(String what, int count, Action action) {
    long start = System.nanoTime();
    try {
      action.run();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    System.out.printf("%-30s %,9.0f tasks/s%n", what, count * 1e9 / (System.nanoTime() - start));
  }
}
