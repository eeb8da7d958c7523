// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.Options.Scenario;
import dev.perdure.bench.durable.SchedulerContender.Setting;
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

  private final Options options;
  private final PrintStream out;
  private final Report report = new Report();

  private DurableBench(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(2);
      return;
    }
    if (options.help) {
      out.print(Options.HELP);
      return;
    }
    Report report = run(options, out);
    report.print(out);
    if (options.json) {
      out.println(report.json());
    }
  }

  static Report run(Options options, PrintStream out)
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
    report.fact("java", Runtime.version() + ", " + Runtime.getRuntime().availableProcessors());
    Subjects subjects = new Subjects(server, options);
    List<Subject> chosen = subjects.chosen(best(subjects));
    List<Database> waiting = new ArrayList<>();
    try {
      rounds(withWaiting(server, chosen, waiting));
    } finally {
      for (Database database : waiting) {
        database.close();
      }
    }
  }

  private void rounds(List<Subject> subjects)
      throws SQLException, IOException, InterruptedException {
    for (Subject subject : subjects) {
      if (options.warmUp > 0) {
        round(subject, Scenario.STEADY, options.warmUp);
      }
    }
    @Nullable Profile profile = options.profile == null ? null : Profile.start(options.profile);
    for (int i = 0; i < options.rounds; i++) {
      for (Scenario scenario : options.scenarios) {
        for (Subject subject : subjects) {
          Figures figures = round(subject, scenario, options.tasks);
          report.add(figures);
          out.printf(
              "# round %d %s %s: %,.0f tasks/s%n", i + 1, scenario, subject.name(), figures.rate());
        }
      }
    }
    if (profile != null) {
      profile.stop(out);
    }
  }

  private Figures round(Subject subject, Scenario scenario, int tasks)
      throws SQLException, InterruptedException {
    return new Round(subject, scenario, tasks, options.submitters).run();
  }

  /** Tries what db-scheduler's guide offers, and takes what is quickest here. */
  private Setting best(Subjects subjects) throws SQLException, InterruptedException {
    Setting best = new Setting(options.threads.getFirst(), 1.0, 4.0);
    if (!options.subjects.contains(Subjects.POSTGRES_SCHEDULER)) {
      return best;
    }
    List<Setting> candidates = new ArrayList<>();
    for (int threads : options.threads) {
      candidates.add(new Setting(threads, 0.5, 1.0));
      candidates.add(new Setting(threads, 1.0, 4.0));
    }
    int tasks = Math.min(options.tasks, TUNING_TASKS);
    double quickest = 0;
    round(subjects.scheduler(best), Scenario.BACKLOG, tasks);
    for (Setting candidate : candidates) {
      double rate = round(subjects.scheduler(candidate), Scenario.BACKLOG, tasks).runRate();
      report.fact("db-scheduler with " + candidate, "%,.0f tasks/s run".formatted(rate));
      if (rate > quickest) {
        quickest = rate;
        best = candidate;
      }
    }
    report.fact("db-scheduler's best", best.toString());
    return best;
  }

  /** Adds each engine once more, on tables where many tasks wait for next week. */
  private List<Subject> withWaiting(
      PostgresServer server, List<Subject> subjects, List<Database> made) throws SQLException {
    if (options.waiting == 0) {
      return subjects;
    }
    String suffix = " + %,d waiting".formatted(options.waiting);
    List<Subject> all = new ArrayList<>();
    for (Subject subject : subjects) {
      all.add(subject);
      if (subject.name().equals(Subjects.POSTGRES)) {
        PostgresDatabase template = Waiting.onPostgres(server, options.waiting);
        made.add(template);
        explain(server, template);
        all.add(subject.on(suffix, () -> server.copy(template.name())));
      } else if (subject.name().equals(Subjects.SQLITE)) {
        SqliteDatabase template = Waiting.onSqlite(options.waiting);
        made.add(template);
        all.add(subject.on(suffix, template::copy));
      }
    }
    return all;
  }

  private void explain(PostgresServer server, PostgresDatabase template) throws SQLException {
    try (Database without = server.create();
        Database with = server.copy(template.name())) {
      report.fact("a claim reads without waiting tasks", ClaimCost.of(without).toString());
      report.fact("a claim reads with waiting tasks", ClaimCost.of(with).toString());
    }
  }
}
