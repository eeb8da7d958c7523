// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import static java.time.Duration.ofSeconds;

import dev.perdure.client.BatchRequest;
import dev.perdure.client.TaskRequest;
import dev.perdure.client.Webhook;
import dev.perdure.policy.RetryPolicy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The graph of the demo: an import, a transform for each table, a report on all of them, and a mail
 * that is sent even if the report fails. If the report fails, the whole batch runs again.
 */
final class DemoBatches {

  static final int ROWS = 84;
  static final List<String> TABLES = List.of("users", "orders", "stock", "prices", "returns");

  private static final RetryPolicy RUN_AGAIN =
      RetryPolicy.fixed(ofSeconds(3)).maxRetries(2).build();
  private static final RetryPolicy RETRY_MAIL =
      RetryPolicy.fixed(ofSeconds(1)).maxRetries(5).build();

  private final URI service;
  private int submitted;

  DemoBatches(URI service) {
    this.service = service;
  }

  BatchRequest next() {
    submitted++;
    List<TaskRequest> tasks = new ArrayList<>();
    tasks.add(task("import", "import-rows", "/rows", json("batch.context")));
    for (String table : TABLES) {
      tasks.add(
          task(table, "transform", "/rows", json("parents.import.result"))
              .name("transform " + table)
              .after("import"));
    }
    List<String> results =
        TABLES.stream().map(table -> json("parents.%s.result".formatted(table))).toList();
    tasks.add(
        task("report", "make-report", "/check", results.toString())
            .after(TABLES.toArray(String[]::new)));
    tasks.add(
        task("mail", "send-email", "/mail", "report: {{parents.report.status}}")
            .retry(RETRY_MAIL)
            .afterEvenIfFailed("report"));
    return BatchRequest.of(tasks)
        .name("nightly " + submitted)
        .context(Map.of("rows", ROWS))
        .retry(RUN_AGAIN);
  }

  /** A placeholder for JSON, which replaces the quotes too. */
  private static String json(String placeholder) {
    return "\"{{%s}}\"".formatted(placeholder);
  }

  private TaskRequest task(String id, String kind, String path, String body) {
    Webhook webhook = Webhook.post(service.resolve(path)).body(body).completesWithResponse();
    return TaskRequest.of(kind).localId(id).onStart(webhook);
  }
}
