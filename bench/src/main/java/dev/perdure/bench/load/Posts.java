// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.Contender;
import dev.perdure.bench.durable.Database;
import dev.perdure.bench.durable.Spread;
import dev.perdure.bench.durable.Usage;
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
final class Posts {

  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e3;
  private static final int MOST_STATEMENT_CHARACTERS = 90;

  private final Options options;
  private final List<Round> rounds = new ArrayList<>();
  private int submitted;
  private @Nullable Usage usage;

  Posts(Options options) {
    this.options = options;
  }

  /**
   * What one round brought with so many connections.
   *
   * @param processorMicros of the server, for one POST
   */
  record Round(int connections, Drive health, Drive post, Drive floor, double processorMicros) {

    double ofHealth() {
      return post.rate() / health.rate();
    }

    double ofFloor() {
      return post.rate() / floor.rate();
    }
  }

  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  void run(Store store) throws IOException, SQLException, InterruptedException {
    try (Database database = store.create();
        Database other = store.create()) {
      try (LoadedServer server = LoadedServer.start(options, database.url())) {
        measure(store, server, database, other);
      }
      long found = database.number("SELECT count(*) FROM perdure_task_state");
      if (found != submitted) {
        throw new IllegalStateException(
            "%d tasks were answered 201, but %d are there".formatted(submitted, found));
      }
    }
  }

  private void measure(Store store, LoadedServer server, Database database, Database other)
      throws IOException, SQLException, InterruptedException {
    warmUp(server);
    store.analyze(database);
    int before = submitted;
    Database.Meter meter = database.meter();
    for (int i = 0; i < options.rounds; i++) {
      for (int connections : options.connections) {
        try (Contender floor = store.floor(other, connections)) {
          rounds.add(round(server, floor, connections));
        }
      }
    }
    usage = store.isPostgres() ? meter.read(submitted - before) : null;
  }

  private void warmUp(LoadedServer server) throws IOException, InterruptedException {
    int most = options.connections.getLast();
    Drive.flatOut(server.port(), most, options.time, Questions.health(server.port()));
    submitted += post(server, most, options.warmUp).latencies().count();
  }

  private Round round(LoadedServer server, Contender floor, int connections)
      throws IOException, InterruptedException {
    Drive health =
        Drive.flatOut(server.port(), connections, options.time, Questions.health(server.port()));
    double before = server.processorSeconds();
    Drive post = post(server, connections, options.time);
    double processor = server.processorSeconds() - before;
    submitted += post.latencies().count();
    return new Round(
        connections,
        health,
        post,
        byHand(floor, connections),
        processor * MICROS / post.latencies().count());
  }

  private static Drive post(LoadedServer server, int connections, Duration time)
      throws IOException, InterruptedException {
    return Drive.flatOut(server.port(), connections, time, Questions.post(server.port()));
  }

  private Drive byHand(Contender floor, int connections) throws IOException, InterruptedException {
    AtomicInteger number = new AtomicInteger();
    return Drive.together(
        connections,
        (recorder, end) -> {
          do {
            long before = System.nanoTime();
            floor.submit(number.getAndIncrement(), 1);
            recorder.add(System.nanoTime() - before);
          } while (System.nanoTime() < end);
        },
        options.time);
  }

  void print(PrintStream out, Store store) {
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
          Spread.of(some, r -> r.post().rate()).show("%,.0f"),
          Spread.of(some, r -> r.post().latencies().millis(0.5)).show("%.2f"),
          Spread.of(some, r -> r.post().latencies().millis(0.99)).show("%.2f"),
          Spread.of(some, r -> r.post().latencies().millis(1)).show("%.1f"),
          Spread.of(some, r -> r.health().rate()).show("%,.0f"),
          Spread.of(some, Round::ofHealth).show("%.2f"),
          Spread.of(some, Round::ofFloor).show("%.2f"),
          Spread.of(some, Round::processorMicros).show("%.0f"));
    }
    if (usage != null) {
      print(out, usage);
    }
  }

  /** What PostgreSQL counted, with all that the server does besides. */
  private static void print(PrintStream out, Usage usage) {
    out.printf(
        "for each POST: %.2f statements, %.2f commits, %,.0f bytes of WAL%n",
        usage.statements(), usage.commits(), usage.bytes());
    for (Usage.Hot hot : usage.hottest()) {
      String text = hot.text();
      out.printf(
          "  %,9d calls, %6.0f µs each: %s%n",
          hot.calls(),
          hot.millis() * MILLIS / hot.calls(),
          text.substring(0, Math.min(MOST_STATEMENT_CHARACTERS, text.length())));
    }
  }
}
