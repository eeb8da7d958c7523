// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.Database;
import dev.perdure.bench.durable.Spread;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tasks that are done by calling somebody who calls back, and counters of one task. */
final class Callbacks {

  private static final int MOST_WARM_UP_TASKS = 10_000;
  private static final int COUNTING = 32;

  private final Options options;
  private final List<Round> rounds = new ArrayList<>();

  Callbacks(Options options) {
    this.options = options;
  }

  /**
   * What one round brought.
   *
   * @param tasksPerSecond from submit to end
   * @param counting counters of one task, each report answered when it was durable
   */
  record Round(double tasksPerSecond, Drive counting) {}

  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  void run(Store store) throws IOException, SQLException, InterruptedException {
    try (Database database = store.create()) {
      try (LoadedServer server = LoadedServer.start(options, database.url());
          Pipeline pipeline = new Pipeline(server)) {
        pipeline.run(warmUp());
        store.analyze(database);
        count(server);
        for (int i = 0; i < options.rounds; i++) {
          double seconds = pipeline.run(options.tasks);
          rounds.add(new Round(options.tasks / seconds, count(server)));
        }
      }
      long expected = warmUp() + (long) options.rounds * options.tasks;
      long found =
          database.number("SELECT count(*) FROM perdure_task_state WHERE state = 'success'");
      if (found != expected) {
        throw new IllegalStateException("%d of %d tasks ended well".formatted(found, expected));
      }
    }
  }

  private int warmUp() {
    return Math.min(options.tasks, MOST_WARM_UP_TASKS);
  }

  /** Counters of a task that a remote worker has; all that was confirmed must be counted. */
  private Drive count(LoadedServer server) throws IOException, InterruptedException {
    server.ask("POST", "/task", "{\"kind\":\"counted\"}", 201);
    String claim =
        "{\"worker\":\"load\",\"kinds\":[\"counted\"],\"limit\":1,\"lease\":\"1h\",\"wait\":\"5s\"}";
    JsonNode claimed = json(server.ask("POST", "/task/claim", claim, 200)).path(0);
    String id = claimed.path("id").asString();
    Drive counting =
        Drive.flatOut(server.port(), COUNTING, options.time, Questions.put(server.port(), id));
    int counted = json(server.ask("GET", "/task/" + id, "", 200)).path("success").asInt();
    if (counted != counting.latencies().count()) {
      throw new IllegalStateException(
          "%d reports were confirmed, but %d counted"
              .formatted(counting.latencies().count(), counted));
    }
    return counting;
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }

  void print(PrintStream out, Store store) {
    out.printf(
        "%ncallbacks on %s, %d rounds of %,d tasks, median (least–most)%n",
        store.name(), options.rounds, options.tasks);
    out.printf(
        "tasks called, called back and ended: %s a second%n",
        Spread.of(rounds, Round::tasksPerSecond).show("%,.0f"));
    out.printf(
        "PUT counters of one task, %d connections: %s a second, p99 %s ms%n",
        COUNTING,
        Spread.of(rounds, r -> r.counting().rate()).show("%,.0f"),
        Spread.of(rounds, r -> r.counting().latencies().millis(0.99)).show("%.2f"));
  }
}
