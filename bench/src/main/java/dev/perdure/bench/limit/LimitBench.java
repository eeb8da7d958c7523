// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.limit;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.MedianRange;
import dev.perdure.bench.durable.PostgresServer;
import dev.perdure.bench.durable.SqliteDatabase;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures tasks of 2 ms with limits next to the same tasks without, on nodes in processes of their
 * own: three on PostgreSQL, one on SQLite. Arguments: the number of rounds (3) and of tasks
 * (20000). The scenarios take turns, so that a change of the machine's speed affects all of them.
 *
 * <p>Every round checks that all tasks succeeded, that no place is left in use, and, by the times
 * that the handlers recorded, that no key ran more often at once than its limit allows.
 */
public final class LimitBench {

  private LimitBench() {}

  /** Creates an empty database. */
  private interface DatabaseSource {
    BenchDatabase create() throws SQLException;
  }

  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    int tasks = args.length > 1 ? Integer.parseInt(args[1]) : 20_000;
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println("median (min–max) of " + rounds + " rounds; the first is not counted");
    out.printf(
        "%-10s %-12s %-24s %-20s %s%n", "store", "limits", "tasks/s", "ratio", "most at once");
    try (PostgresServer server = PostgresServer.start()) {
      measure(out, "PostgreSQL", server::create, 3, rounds, tasks);
    }
    measure(out, "SQLite", SqliteDatabase::create, 1, rounds, tasks);
  }

  private static void measure(
      PrintStream out, String store, DatabaseSource source, int processes, int rounds, int tasks)
      throws Exception {
    Map<LimitScenario, List<LimitRound.Result>> results = new EnumMap<>(LimitScenario.class);
    for (int i = 0; i <= rounds; i++) {
      for (LimitScenario scenario : LimitScenario.values()) {
        try (BenchDatabase database = source.create()) {
          LimitRound.Result result = new LimitRound(scenario, database, tasks).run(processes);
          require(scenario, result);
          if (i > 0) {
            results.computeIfAbsent(scenario, any -> new ArrayList<>()).add(result);
          }
        }
      }
    }
    results.forEach((scenario, ofScenario) -> print(out, store, scenario, results));
  }

  private static void require(LimitScenario scenario, LimitRound.Result result) {
    if (scenario.max() > 0 && result.mostAtOnce() > scenario.max()) {
      throw new IllegalStateException(
          "%s: %d ran at once".formatted(scenario, result.mostAtOnce()));
    }
  }

  private static void print(
      PrintStream out,
      String store,
      LimitScenario scenario,
      Map<LimitScenario, List<LimitRound.Result>> results) {
    List<LimitRound.Result> own = results.getOrDefault(scenario, List.of());
    List<LimitRound.Result> unlimited = results.getOrDefault(LimitScenario.UNLIMITED, List.of());
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      ratios.add(own.get(i).tasksPerSecond() / unlimited.get(i).tasksPerSecond());
    }
    out.printf(
        "%-10s %-12s %-24s %-20s %d%n",
        store,
        scenario.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        MedianRange.of(own, LimitRound.Result::tasksPerSecond).format("%.0f"),
        MedianRange.of(ratios, ratio -> ratio).format("%.2f"),
        own.stream().mapToInt(LimitRound.Result::mostAtOnce).max().orElse(0));
  }
}
