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
 * Single tasks submitted over HTTP. In turn with them: {@code GET /health}, which is what HTTP
 * costs, and the same rows inserted by hand, one task in each commit, which is what the store
 * costs.
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
   * What one round brought with so many connections.
   *
   * @param cpuMicros of the server, for one POST
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
        BenchDatabase other = store.create()) {
      try (MeasuredServer server = MeasuredServer.start(options, database.url())) {
        measure(store, server, database, other);
      }
      long found = database.queryLong("SELECT count(*) FROM perdure_task_state");
      if (found != submitted) {
        throw new IllegalStateException(
            "%d tasks were answered 201, but %d are there".formatted(submitted, found));
      }
    }
  }

  private void measure(
      StoreKind store, MeasuredServer server, BenchDatabase database, BenchDatabase other)
      throws IOException, SQLException, InterruptedException {
    warmUp(server);
    store.analyze(database);
    int before = submitted;
    BenchDatabase.UsageMeter meter = database.meter();
    for (int i = 0; i < options.rounds; i++) {
      for (int connections : options.connections) {
        try (DurableContender baseline = store.baseline(other, connections)) {
          rounds.add(round(server, baseline, connections));
        }
      }
    }
    usage = store.isPostgres() ? meter.read(submitted - before) : null;
  }

  private void warmUp(MeasuredServer server) throws IOException, InterruptedException {
    int most = options.connections.getLast();
    LoadRun.closedLoop(server.port(), most, options.time, RequestSource.getHealth(server.port()));
    submitted += post(server, most, options.warmUp).latencies().count();
  }

  private Round round(MeasuredServer server, DurableContender baseline, int connections)
      throws IOException, InterruptedException {
    LoadRun health =
        LoadRun.closedLoop(
            server.port(), connections, options.time, RequestSource.getHealth(server.port()));
    double before = server.cpuSeconds();
    LoadRun post = post(server, connections, options.time);
    double processor = server.cpuSeconds() - before;
    submitted += post.latencies().count();
    return new Round(
        connections,
        health,
        post,
        measureBaseline(baseline, connections),
        processor * MICROS / post.latencies().count());
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
        "%nposts on %s, %d rounds of %d s, median (least–most)%n",
        store.name(), options.rounds, options.time.toSeconds());
    out.printf(
        "%-12s %24s %22s %22s %24s %24s %20s %20s %16s%n",
        "connections",
        "POST /task, 1/s",
        "p50, ms",
        "p99, ms",
        "slowest, ms",
        "GET /health, 1/s",
        "POST ÷ health",
        "POST ÷ by hand",
        "server, µs/POST");
    for (int connections : options.connections) {
      List<Round> some = rounds.stream().filter(r -> r.connections() == connections).toList();
      out.printf(
          "%-12d %24s %22s %22s %24s %24s %20s %20s %16s%n",
          connections,
          MedianRange.of(some, r -> r.post().rate()).format("%,.0f"),
          MedianRange.of(some, r -> r.post().latencies().percentileMillis(0.5)).format("%.2f"),
          MedianRange.of(some, r -> r.post().latencies().percentileMillis(0.99)).format("%.2f"),
          MedianRange.of(some, r -> r.post().latencies().percentileMillis(1)).format("%.1f"),
          MedianRange.of(some, r -> r.health().rate()).format("%,.0f"),
          MedianRange.of(some, Round::ratioToHealth).format("%.2f"),
          MedianRange.of(some, Round::ratioToBaseline).format("%.2f"),
          MedianRange.of(some, Round::cpuMicros).format("%.0f"));
    }
    if (usage != null) {
      print(out, usage);
    }
  }

  /** What PostgreSQL counted, with all that the server does besides. */
  private static void print(PrintStream out, DatabaseUsage usage) {
    out.printf(
        "for each POST: %.2f statements, %.2f commits, %,.0f bytes of WAL%n",
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
