// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.MedianRange;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Measures tasks that a callee ends with a callback, and progress updates of one task. */
final class CallbackScenario {

  private static final int MAX_WARM_UP_TASKS = 10_000;
  private static final int COUNTER_CONNECTIONS = 32;

  private final LoadOptions options;
  private final List<Round> rounds = new ArrayList<>();

  CallbackScenario(LoadOptions options) {
    this.options = options;
  }

  /**
   * The result of one round.
   *
   * @param tasksPerSecond tasks per second from submission to end
   * @param progressUpdates progress updates of one task; the server responds when one is durable
   */
  record Round(double tasksPerSecond, LoadRun progressUpdates) {}

  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  void run(StoreKind store) throws IOException, SQLException, InterruptedException {
    try (BenchDatabase database = store.create()) {
      try (MeasuredServer server = MeasuredServer.start(options, database.url());
          CallbackPipeline pipeline = new CallbackPipeline(server)) {
        pipeline.run(warmUp());
        store.analyze(database);
        measureProgressUpdates(server);
        for (int i = 0; i < options.rounds; i++) {
          double seconds = pipeline.run(options.tasks);
          rounds.add(new Round(options.tasks / seconds, measureProgressUpdates(server)));
        }
      }
      long expected = warmUp() + (long) options.rounds * options.tasks;
      long found =
          database.queryLong("SELECT count(*) FROM perdure_task_state WHERE state = 'success'");
      if (found != expected) {
        throw new IllegalStateException("%d of %d tasks succeeded".formatted(found, expected));
      }
    }
  }

  private int warmUp() {
    return Math.min(options.tasks, MAX_WARM_UP_TASKS);
  }

  /**
   * Updates the counters of a task that a remote worker holds. Fails unless every acknowledged
   * update was counted.
   */
  private LoadRun measureProgressUpdates(MeasuredServer server)
      throws IOException, InterruptedException {
    server.request("POST", "/task", "{\"kind\":\"counted\"}", 201);
    String claim =
        "{\"worker\":\"load\",\"kinds\":[\"counted\"],\"limit\":1,\"lease\":\"1h\",\"wait\":\"5s\"}";
    JsonNode claimed = json(server.request("POST", "/task/claim", claim, 200)).path(0);
    String id = claimed.path("id").asString();
    LoadRun updates =
        LoadRun.closedLoop(
            server.port(),
            COUNTER_CONNECTIONS,
            options.time,
            RequestSource.updateProgress(server.port(), id));
    int counted = json(server.request("GET", "/task/" + id, "", 200)).path("success").asInt();
    if (counted != updates.latencies().count()) {
      throw new IllegalStateException(
          "%d updates were acknowledged, but %d were counted"
              .formatted(updates.latencies().count(), counted));
    }
    return updates;
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }

  void print(PrintStream out, StoreKind store) {
    out.printf(
        "%ncallback on %s, %d rounds of %,d tasks, median (min–max)%n",
        store.name(), options.rounds, options.tasks);
    out.printf(
        "tasks from submission to callback: %s per second%n",
        MedianRange.of(rounds, Round::tasksPerSecond).format("%,.0f"));
    out.printf(
        "PUT progress of one task, %d connections: %s per second, p99 %s ms%n",
        COUNTER_CONNECTIONS,
        MedianRange.of(rounds, r -> r.progressUpdates().rate()).format("%,.0f"),
        MedianRange.of(rounds, r -> r.progressUpdates().latencies().percentileMillis(0.99))
            .format("%.2f"));
  }
}
