// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.DatabaseUsage;
import dev.perdure.bench.durable.DurableContender;
import dev.perdure.bench.durable.MedianRange;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Measures tasks submitted one at a time over HTTP. Each round also measures {@code GET /health} as
 * the cost of HTTP alone, and the baseline, which inserts the same rows with one task per commit,
 * as the cost of the database alone.
 */
final class SubmitScenario {

  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e3;
  private static final int MAX_STATEMENT_CHARACTERS = 90;

  private final LoadOptions options;
  private final List<Round> rounds = new ArrayList<>();
  private int submitted;
  private @Nullable DatabaseUsage usage;

  SubmitScenario(LoadOptions options) {
    this.options = options;
  }

  /**
   * The result of one round with a number of connections.
   *
   * @param cpuMicros CPU time of the server per POST
   */
  record Round(int connections, LoadRun health, LoadRun post, LoadRun baseline, double cpuMicros) {

    double ratioToHealth() {
      return post.rate() / health.rate();
    }

    double ratioToBaseline() {
      return post.rate() / baseline.rate();
    }
  }

  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  void run(StoreKind store) throws IOException, SQLException, InterruptedException {
    try (BenchDatabase database = store.create();
        BenchDatabase baselineDatabase = store.create()) {
      try (MeasuredServer server = MeasuredServer.start(options, database.url())) {
        measure(store, server, database, baselineDatabase);
      }
      long found = database.queryLong("SELECT count(*) FROM perdure_task_state");
      if (found != submitted) {
        throw new IllegalStateException(
            "%d tasks were acknowledged, but %d are in the database".formatted(submitted, found));
      }
    }
  }

  private void measure(
      StoreKind store,
      MeasuredServer server,
      BenchDatabase database,
      BenchDatabase baselineDatabase)
      throws IOException, SQLException, InterruptedException {
    warmUp(server);
    store.analyze(database);
    int before = submitted;
    BenchDatabase.UsageMeter meter = database.meter();
    for (int i = 0; i < options.rounds; i++) {
      for (int connections : options.connections) {
        try (DurableContender baseline = store.baseline(baselineDatabase, connections)) {
          rounds.add(round(server, baseline, connections));
        }
      }
    }
    usage = store.isPostgres() ? meter.read(submitted - before) : null;
  }

  private void warmUp(MeasuredServer server) throws IOException, InterruptedException {
    int connections = options.connections.getLast();
    LoadRun.closedLoop(
        server.port(), connections, options.time, RequestSource.getHealth(server.port()));
    submitted += post(server, connections, options.warmUp).latencies().count();
  }

  private Round round(MeasuredServer server, DurableContender baseline, int connections)
      throws IOException, InterruptedException {
    LoadRun health =
        LoadRun.closedLoop(
            server.port(), connections, options.time, RequestSource.getHealth(server.port()));
    double before = server.cpuSeconds();
    LoadRun post = post(server, connections, options.time);
    double cpuSeconds = server.cpuSeconds() - before;
    submitted += post.latencies().count();
    return new Round(
        connections,
        health,
        post,
        measureBaseline(baseline, connections),
        cpuSeconds * MICROS / post.latencies().count());
  }

  private static LoadRun post(MeasuredServer server, int connections, Duration time)
      throws IOException, InterruptedException {
    return LoadRun.closedLoop(
        server.port(), connections, time, RequestSource.submitTask(server.port()));
  }

  private LoadRun measureBaseline(DurableContender baseline, int connections)
      throws IOException, InterruptedException {
    AtomicInteger number = new AtomicInteger();
    return LoadRun.runThreads(
        connections,
        (recorder, end) -> {
          do {
            long before = System.nanoTime();
            baseline.submit(number.getAndIncrement(), 1);
            recorder.add(System.nanoTime() - before);
          } while (System.nanoTime() < end);
        },
        options.time);
  }

  void print(PrintStream out, StoreKind store) {
    out.printf(
        "%nsubmit on %s, %d rounds of %d s, median (min–max)%n",
        store.name(), options.rounds, options.time.toSeconds());
    out.printf(
        "%-12s %24s %22s %22s %24s %24s %20s %20s %16s%n",
        "connections",
        "POST /task per s",
        "p50, ms",
        "p99, ms",
        "max, ms",
        "GET /health per s",
        "POST ÷ health",
        "POST ÷ baseline",
        "CPU, µs/POST");
    for (int connections : options.connections) {
      List<Round> selected = rounds.stream().filter(r -> r.connections() == connections).toList();
      out.printf(
          "%-12d %24s %22s %22s %24s %24s %20s %20s %16s%n",
          connections,
          MedianRange.of(selected, r -> r.post().rate()).format("%,.0f"),
          MedianRange.of(selected, r -> r.post().latencies().percentileMillis(0.5)).format("%.2f"),
          MedianRange.of(selected, r -> r.post().latencies().percentileMillis(0.99)).format("%.2f"),
          MedianRange.of(selected, r -> r.post().latencies().percentileMillis(1)).format("%.1f"),
          MedianRange.of(selected, r -> r.health().rate()).format("%,.0f"),
          MedianRange.of(selected, Round::ratioToHealth).format("%.2f"),
          MedianRange.of(selected, Round::ratioToBaseline).format("%.2f"),
          MedianRange.of(selected, Round::cpuMicros).format("%.0f"));
    }
    if (usage != null) {
      print(out, usage);
    }
  }

  /** Prints what PostgreSQL counted, including the background work of the server. */
  private static void print(PrintStream out, DatabaseUsage usage) {
    out.printf(
        "per POST: %.2f statements, %.2f commits, %,.0f bytes of WAL%n",
        usage.statements(), usage.commits(), usage.bytes());
    for (DatabaseUsage.TopStatement statement : usage.topStatements()) {
      String text = statement.text();
      out.printf(
          "  %,9d calls, %6.0f µs each: %s%n",
          statement.calls(),
          statement.millis() * MILLIS / statement.calls(),
          text.substring(0, Math.min(MAX_STATEMENT_CHARACTERS, text.length())));
    }
  }
}
