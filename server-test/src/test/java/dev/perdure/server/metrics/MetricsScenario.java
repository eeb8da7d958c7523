// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.metrics;

import dev.perdure.engine.Engine;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.config.Settings;
import dev.perdure.server.webhook.WebhookSettings;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** A server that produces every metric. */
final class MetricsScenario implements AutoCloseable {

  private static final String SOON =
      """
      {"max_retries": 1, "backoff": {"type": "fixed", "delay": "1ms"}, "jitter": "none"}""";
  private static final String MUCH_LATER =
      """
      {"max_retries": 1, "backoff": {"type": "fixed", "delay": "1h"}, "jitter": "none"}""";

  private final String url;
  private final TestServer server;
  private final WebhookReceiver receiver =
      WebhookReceiver.replyingWith(
          call -> WebhookReceiver.Reply.of(call.path().equals("/busy") ? 503 : 200, "{}"));
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  MetricsScenario(TestDatabase database, Path folder) {
    url = database.url(folder);
    server =
        TestServer.in(
            folder,
            Map.of(
                Settings.DATABASE_URL,
                url,
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                Settings.WORKER_CLAIM_TIMEOUT_SECS,
                "10"),
            this::prepare);
  }

  private void prepare(Engine engine) {
    engine.register("succeeds", JsonNode.class, (payload, context) -> {});
    engine.register("fails", JsonNode.class, (payload, context) -> fail());
    engine.register("stubborn", JsonNode.class, (payload, context) -> ignoreInterrupts());
  }

  private static void fail() {
    throw new IllegalStateException("on purpose");
  }

  private void ignoreInterrupts() {
    started.countDown();
    while (release.getCount() > 0) {
      Thread.interrupted();
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  /** Starts with the slowest part: a node is not declared lost in the first four seconds. */
  void produceEveryMetric() throws IOException, SQLException, InterruptedException {
    loseAnotherNode();
    String parent = submit("{\"kind\": \"succeeds\", \"run_at\": \"2100-01-01T00:00:00Z\"}");
    submit("{\"kind\": \"succeeds\", \"dependencies\": [{\"id\": \"%s\"}]}".formatted(parent));
    server.post("/task/" + parent + "/retry", "{}");
    submit("{\"tasks\": [{\"kind\": \"succeeds\"}], \"retry\": " + SOON + "}");
    submit("{\"kind\": \"fails\", \"retry\": " + SOON + "}");
    submit("{\"kind\": \"fails\", \"retry\": " + MUCH_LATER + "}");
    reachALimit();
    callWebhooks();
    writeStale();
    cancelManyKinds();
    awaitTask("RetryPending");
    breakTheStore();
  }

  private String submit(String task) throws IOException {
    return server.post("/task", task).json().get(0).get("id").stringValue();
  }

  /** One task holds the limit, and another waits for it. */
  private void reachALimit() throws IOException {
    String rule = "{\"type\": \"Concurrency\", \"max_concurrency\": 1}";
    for (int i = 0; i < 2; i++) {
      submit("{\"kind\": \"limited\", \"rules\": [%s]}".formatted(rule));
    }
    server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"limited\"], \"lease\": \"10m\"}");
  }

  /** A webhook task with an on_success delivery, and one whose callee is busy. */
  private void callWebhooks() throws IOException {
    String hook = "{\"kind\": \"Webhook\", \"params\": {\"url\": \"%s\", \"verb\": \"Post\"%s}}";
    String start = hook.formatted(receiver.url("/start"), ", \"completion\": \"response\"");
    String end = hook.formatted(receiver.url("/end"), "");
    submit("{\"kind\": \"called\", \"on_start\": %s, \"on_success\": [%s]}".formatted(start, end));
    await("the delivery", () -> calls() == 2);
    String busy = hook.formatted(receiver.url("/busy"), ", \"completion\": \"response\"");
    submit("{\"kind\": \"busy callee\", \"on_start\": %s}".formatted(busy));
    await("the failure", () -> calls() == 3);
  }

  private double calls() throws IOException {
    return scrape().sums().get("perdure_webhook_executions_total");
  }

  /** A node that dies while it holds a task. */
  private void loseAnotherNode() throws IOException {
    submit("{\"kind\": \"elsewhere\"}");
    try (TaskStore store = JdbcStore.open(url)) {
      UUID node = new UUID(1, 1);
      store
          .nodes()
          .join(new NodeRegistry.RegisteredNode(node, "mortal", List.of()), Duration.ofSeconds(5));
      List<ClaimRequest.QueueCapacity> capacity =
          List.of(new ClaimRequest.QueueCapacity("elsewhere", 1));
      int claimed =
          store
              .claim(new ClaimRequest(new LeaseOwner.NodeOwner(node), capacity, 1, true))
              .leases()
              .size();
      if (claimed != 1) {
        throw new AssertionError("the other node got " + claimed + " tasks");
      }
    }
  }

  /** Cancels a task elsewhere while its handler runs, and reports progress with a wrong epoch. */
  private void writeStale() throws IOException, InterruptedException {
    String id = submit("{\"kind\": \"stubborn\"}");
    if (!started.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the handler has not started");
    }
    try (TaskStore store = JdbcStore.open(url)) {
      Engine.on(store).cancel(UUID.fromString(id));
    }
    release.countDown();
    // The node may notice the cancel before its handler writes; this write is always stale.
    server.send("PUT", "/task/" + id, "{\"epoch\": 9, \"new_success\": 1}");
  }

  /** More kinds than a metric may have label values. */
  private void cancelManyKinds() throws IOException {
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < 250; i++) {
      tasks.append(i == 0 ? "[" : ",").append("{\"kind\": \"kind ").append(i).append("\"}");
    }
    for (JsonNode task : server.post("/task", tasks + "]").json()) {
      server.request("DELETE", "/task/" + task.get("id").stringValue());
    }
  }

  private void awaitTask(String status) throws IOException {
    await("a task that is " + status, () -> !server.get("/task?status=" + status).json().isEmpty());
  }

  /** Hides a table for a while, so that queries fail. */
  private void breakTheStore() throws IOException, SQLException {
    try (Connection connection = DriverManager.getConnection(TestDatabase.jdbc(url));
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE perdure_task_state RENAME TO hidden");
      try {
        for (String component : List.of("claim", "metrics")) {
          await(
              "an error of " + component,
              () -> scrape().hasLabelValue("store_errors_total.component", component));
        }
      } finally {
        statement.execute("ALTER TABLE hidden RENAME TO perdure_task_state");
      }
    }
  }

  void awaitWritten(String metric) throws IOException {
    await(metric, () -> scrape().isWritten(metric));
  }

  Scrape scrape() throws IOException {
    return Scrape.of(server.get("/metrics").body());
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(String what, Condition condition) throws IOException {
    for (int i = 0; i < 600; i++) {
      if (condition.holds()) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("timed out waiting for " + what);
  }

  @Override
  public void close() {
    release.countDown();
    server.close();
    receiver.close();
  }
}
