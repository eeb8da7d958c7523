// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.limit;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteDatabase;
import dev.perdure.bench.limit.LimitRound.Execution;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Limit;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Shows how long 100 keys with very different backlogs wait for their first tasks. Two tasks of a
 * key run at a time. The key with the largest backlog is submitted first, the smallest last: in the
 * order of submission the small ones would wait for all others.
 */
public final class LimitFairness {

  private static final int KEYS = 100;
  private static final int TASKS_OF_SMALLEST = 4;

  private LimitFairness() {}

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.printf(
        "%-10s %-22s %s%n", "store", "until a key has had", "least, median, most ms over keys");
    try (PostgresServer server = PostgresServer.start();
        BenchDatabase database = server.create()) {
      print(out, "PostgreSQL", new LimitRound("fairness", tasks(), database).run(3));
    }
    try (BenchDatabase database = SqliteDatabase.create()) {
      print(out, "SQLite", new LimitRound("fairness", tasks(), database).run(1));
    }
  }

  private static List<NewTask> tasks() {
    List<NewTask> tasks = new ArrayList<>();
    for (int key = KEYS; key > 0; key--) {
      for (int i = 0; i < key * TASKS_OF_SMALLEST; i++) {
        tasks.add(
            NewTask.of(LimitScenario.KIND, key)
                .metadata(Map.of("tenant", key))
                .limit(Limit.concurrency(2).per("tenant")));
      }
    }
    return tasks;
  }

  private static void print(PrintStream out, String store, LimitRound.Result result) {
    long begin = result.executions().stream().mapToLong(Execution::from).min().orElseThrow();
    Map<Integer, List<Long>> startsByKey =
        result.executions().stream()
            .collect(
                Collectors.groupingBy(
                    Execution::key,
                    TreeMap::new,
                    Collectors.mapping(
                        one -> (one.from() - begin) / 1_000,
                        Collectors.collectingAndThen(
                            Collectors.toList(), starts -> starts.stream().sorted().toList()))));
    print(
        out, store, "its first start", startsByKey.values().stream().map(List::getFirst).toList());
    print(
        out,
        store,
        "its fourth start",
        startsByKey.values().stream().map(starts -> starts.get(TASKS_OF_SMALLEST - 1)).toList());
    print(out, store, "its last start", startsByKey.values().stream().map(List::getLast).toList());
  }

  private static void print(PrintStream out, String store, String what, List<Long> millis) {
    List<Long> sorted = millis.stream().sorted().toList();
    out.printf(
        "%-10s %-22s %d, %d, %d%n",
        store, what, sorted.getFirst(), sorted.get(sorted.size() / 2), sorted.getLast());
  }
}
