// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DbSchedulerContender.DbSchedulerSettings;
import dev.perdure.bench.durable.DurableBenchOptions.Scenario;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures durable tasks per second, from submission to end. The engine, db-scheduler and
 * hand-written SQL take turns, each round on a new database. {@code --help} lists the options.
 *
 * <p>Every round checks in the tables that each task ended exactly once, and fails otherwise.
 */
public final class DurableBench {

  private static final int TUNING_TASKS = 10_000;

  private final DurableBenchOptions options;
  private final PrintStream out;
  private final BenchReport report = new BenchReport();

  private DurableBench(DurableBenchOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    DurableBenchOptions options;
    try {
      options = DurableBenchOptions.parse(args);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    if (options.help) {
      out.print(DurableBenchOptions.HELP);
      return;
    }
    BenchReport report = run(options, out);
    report.print(out);
    if (options.json) {
      out.println(report.json());
    }
  }

  static BenchReport run(DurableBenchOptions options, PrintStream out)
      throws SQLException, IOException, InterruptedException {
    DurableBench bench = new DurableBench(options, out);
    try (PostgresServer server = PostgresServer.start()) {
      bench.compare(server);
    }
    return bench.report;
  }

  private void compare(PostgresServer server)
      throws SQLException, IOException, InterruptedException {
    report.fact("postgres", server.settings().toString());
    report.fact("sqlite", SqliteDatabase.pragmas().toString());
    report.fact(
        "java",
        Runtime.version() + ", " + Runtime.getRuntime().availableProcessors() + " processors");
    ContenderSetups setups = new ContenderSetups(server, options);
    List<ContenderSetup> chosen = setups.chosen(bestSettings(setups));
    List<BenchDatabase> waiting = new ArrayList<>();
    try {
      rounds(withWaiting(server, chosen, waiting));
    } finally {
      for (BenchDatabase database : waiting) {
        database.close();
      }
    }
  }

  private void rounds(List<ContenderSetup> setups)
      throws SQLException, IOException, InterruptedException {
    for (ContenderSetup setup : setups) {
      if (options.warmUp > 0) {
        round(setup, Scenario.STEADY, options.warmUp);
      }
    }
    @Nullable JfrProfile profile =
        options.profile == null ? null : JfrProfile.start(options.profile);
    for (int i = 0; i < options.rounds; i++) {
      for (Scenario scenario : options.scenarios) {
        for (ContenderSetup setup : setups) {
          RoundResult result = round(setup, scenario, options.tasks);
          report.add(result);
          out.printf(
              "# round %d %s %s: %,.0f tasks/s%n", i + 1, scenario, setup.name(), result.rate());
        }
      }
    }
    if (profile != null) {
      profile.stop(out);
    }
  }

  private RoundResult round(ContenderSetup setup, Scenario scenario, int tasks)
      throws SQLException, InterruptedException {
    return new BenchRound(setup, scenario, tasks, options.submitters).run();
  }

  /** Tries the settings that db-scheduler's guide suggests and returns the fastest. */
  private DbSchedulerSettings bestSettings(ContenderSetups setups)
      throws SQLException, InterruptedException {
    DbSchedulerSettings best = new DbSchedulerSettings(options.threads.getFirst(), 1.0, 4.0);
    if (!options.contenders.contains(ContenderSetups.POSTGRES_DB_SCHEDULER)) {
      return best;
    }
    List<DbSchedulerSettings> candidates = new ArrayList<>();
    for (int threads : options.threads) {
      candidates.add(new DbSchedulerSettings(threads, 0.5, 1.0));
      candidates.add(new DbSchedulerSettings(threads, 1.0, 4.0));
    }
    int tasks = Math.min(options.tasks, TUNING_TASKS);
    double highestRate = 0;
    round(setups.dbScheduler(best), Scenario.BACKLOG, tasks);
    for (DbSchedulerSettings candidate : candidates) {
      double rate = round(setups.dbScheduler(candidate), Scenario.BACKLOG, tasks).runRate();
      report.fact("db-scheduler with " + candidate, "%,.0f tasks/s".formatted(rate));
      if (rate > highestRate) {
        highestRate = rate;
        best = candidate;
      }
    }
    report.fact("best settings of db-scheduler", best.toString());
    return best;
  }

  /** Adds each engine a second time, on tables where many tasks wait for next week. */
  private List<ContenderSetup> withWaiting(
      PostgresServer server, List<ContenderSetup> setups, List<BenchDatabase> created)
      throws SQLException {
    if (options.waiting == 0) {
      return setups;
    }
    String suffix = " + %,d waiting".formatted(options.waiting);
    List<ContenderSetup> all = new ArrayList<>();
    for (ContenderSetup setup : setups) {
      all.add(setup);
      if (setup.name().equals(ContenderSetups.POSTGRES)) {
        PostgresDatabase template = WaitingTasks.onPostgres(server, options.waiting);
        created.add(template);
        explain(server, template);
        all.add(setup.withDatabases(suffix, () -> server.copy(template.name())));
      } else if (setup.name().equals(ContenderSetups.SQLITE)) {
        SqliteDatabase template = WaitingTasks.onSqlite(options.waiting);
        created.add(template);
        all.add(setup.withDatabases(suffix, template::copy));
      }
    }
    return all;
  }

  private void explain(PostgresServer server, PostgresDatabase template) throws SQLException {
    try (BenchDatabase without = server.create();
        BenchDatabase with = server.copy(template.name())) {
      report.fact("cost of a claim without waiting tasks", ClaimCost.of(without).toString());
      report.fact("cost of a claim with waiting tasks", ClaimCost.of(with).toString());
    }
  }
}
