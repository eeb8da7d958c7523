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
 * How many durable tasks a second, from submit to their end: the engine, db-scheduler and bare SQL
 * in turn, each round on a new database. {@code --help} tells the options.
 *
 * <p>Every round checks in the tables that each task ended exactly once; figures of anything else
 * would mean nothing.
 */
public final class DurableBench {

  private static final int TUNING_TASKS = 10_000;

  private final DurableBenchOptions durableBenchOptions;
  private final PrintStream out;
  private final BenchReport benchReport = new BenchReport();

  private DurableBench(DurableBenchOptions durableBenchOptions, PrintStream out) {
    this.durableBenchOptions = durableBenchOptions;
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    DurableBenchOptions durableBenchOptions;
    try {
      durableBenchOptions = DurableBenchOptions.parse(args);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    if (durableBenchOptions.help) {
      out.print(DurableBenchOptions.HELP);
      return;
    }
    BenchReport benchReport = run(durableBenchOptions, out);
    benchReport.print(out);
    if (durableBenchOptions.json) {
      out.println(benchReport.json());
    }
  }

  static BenchReport run(DurableBenchOptions durableBenchOptions, PrintStream out)
      throws SQLException, IOException, InterruptedException {
    DurableBench bench = new DurableBench(durableBenchOptions, out);
    try (PostgresServer server = PostgresServer.start()) {
      bench.compare(server);
    }
    return bench.benchReport;
  }

  private void compare(PostgresServer server)
      throws SQLException, IOException, InterruptedException {
    benchReport.fact("postgres", server.settings().toString());
    benchReport.fact("sqlite", SqliteDatabase.pragmas().toString());
    benchReport.fact("java", Runtime.version() + ", " + Runtime.getRuntime().availableProcessors());
    ContenderSetups contenderSetups = new ContenderSetups(server, durableBenchOptions);
    List<ContenderSetup> chosen = contenderSetups.chosen(best(contenderSetups));
    List<BenchDatabase> waiting = new ArrayList<>();
    try {
      rounds(withWaiting(server, chosen, waiting));
    } finally {
      for (BenchDatabase benchDatabase : waiting) {
        benchDatabase.close();
      }
    }
  }

  private void rounds(List<ContenderSetup> contenderSetups)
      throws SQLException, IOException, InterruptedException {
    for (ContenderSetup contenderSetup : contenderSetups) {
      if (durableBenchOptions.warmUp > 0) {
        round(contenderSetup, Scenario.STEADY, durableBenchOptions.warmUp);
      }
    }
    @Nullable JfrProfile jfrProfile =
        durableBenchOptions.profile == null ? null : JfrProfile.start(durableBenchOptions.profile);
    for (int i = 0; i < durableBenchOptions.rounds; i++) {
      for (Scenario scenario : durableBenchOptions.scenarios) {
        for (ContenderSetup contenderSetup : contenderSetups) {
          RoundResult roundResult = round(contenderSetup, scenario, durableBenchOptions.tasks);
          benchReport.add(roundResult);
          out.printf(
              "# round %d %s %s: %,.0f tasks/s%n",
              i + 1, scenario, contenderSetup.name(), roundResult.rate());
        }
      }
    }
    if (jfrProfile != null) {
      jfrProfile.stop(out);
    }
  }

  private RoundResult round(ContenderSetup contenderSetup, Scenario scenario, int tasks)
      throws SQLException, InterruptedException {
    return new BenchRound(contenderSetup, scenario, tasks, durableBenchOptions.submitters).run();
  }

  /** Tries what db-scheduler's guide offers, and takes what is quickest here. */
  private DbSchedulerSettings best(ContenderSetups contenderSetups)
      throws SQLException, InterruptedException {
    DbSchedulerSettings best =
        new DbSchedulerSettings(durableBenchOptions.threads.getFirst(), 1.0, 4.0);
    if (!durableBenchOptions.contenders.contains(ContenderSetups.POSTGRES_SCHEDULER)) {
      return best;
    }
    List<DbSchedulerSettings> candidates = new ArrayList<>();
    for (int threads : durableBenchOptions.threads) {
      candidates.add(new DbSchedulerSettings(threads, 0.5, 1.0));
      candidates.add(new DbSchedulerSettings(threads, 1.0, 4.0));
    }
    int tasks = Math.min(durableBenchOptions.tasks, TUNING_TASKS);
    double quickest = 0;
    round(contenderSetups.scheduler(best), Scenario.BACKLOG, tasks);
    for (DbSchedulerSettings candidate : candidates) {
      double rate = round(contenderSetups.scheduler(candidate), Scenario.BACKLOG, tasks).runRate();
      benchReport.fact("db-scheduler with " + candidate, "%,.0f tasks/s run".formatted(rate));
      if (rate > quickest) {
        quickest = rate;
        best = candidate;
      }
    }
    benchReport.fact("db-scheduler's best", best.toString());
    return best;
  }

  /** Adds each engine once more, on tables where many tasks wait for next week. */
  private List<ContenderSetup> withWaiting(
      PostgresServer server, List<ContenderSetup> contenderSetups, List<BenchDatabase> made)
      throws SQLException {
    if (durableBenchOptions.waiting == 0) {
      return contenderSetups;
    }
    String suffix = " + %,d waiting".formatted(durableBenchOptions.waiting);
    List<ContenderSetup> all = new ArrayList<>();
    for (ContenderSetup contenderSetup : contenderSetups) {
      all.add(contenderSetup);
      if (contenderSetup.name().equals(ContenderSetups.POSTGRES)) {
        PostgresDatabase template = WaitingTasks.onPostgres(server, durableBenchOptions.waiting);
        made.add(template);
        explain(server, template);
        all.add(contenderSetup.withDatabases(suffix, () -> server.copy(template.name())));
      } else if (contenderSetup.name().equals(ContenderSetups.SQLITE)) {
        SqliteDatabase template = WaitingTasks.onSqlite(durableBenchOptions.waiting);
        made.add(template);
        all.add(contenderSetup.withDatabases(suffix, template::copy));
      }
    }
    return all;
  }

  private void explain(PostgresServer server, PostgresDatabase template) throws SQLException {
    try (BenchDatabase without = server.create();
        BenchDatabase with = server.copy(template.name())) {
      benchReport.fact("a claim reads without waiting tasks", ClaimCost.of(without).toString());
      benchReport.fact("a claim reads with waiting tasks", ClaimCost.of(with).toString());
    }
  }
}
