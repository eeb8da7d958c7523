// SPDX-License-Identifier: Apache-2.0
package dev.perdure.ui;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import java.io.IOException;

/**
 * What the screens show in tests: tasks in several states, one of which failed and waits for its
 * retry, and a schedule.
 *
 * @param task the id of the task that waits for its retry
 * @param title the heading of its page
 * @param batch the id of its batch
 * @param batchName the heading of the batch's page
 */
record SampleData(String task, String title, String batch, String batchName, String schedule) {

  private static final String LATER =
      """
      {"max_retries": 3, "backoff": {"type": "fixed", "delay": "1h"}, "jitter": "none"}""";

  /** Ordinary data. */
  static SampleData of(Dashboard dashboard) throws IOException {
    return of(dashboard, "job", "order 913", "The card issuer did not answer");
  }

  /** Data with these texts wherever the API takes a text. */
  static SampleData of(Dashboard dashboard, String kind, String name, String text)
      throws IOException {
    TestServer server = dashboard.server();
    TestApiClient client = new TestApiClient(server);
    String quoted = Dashboard.quoted(text);
    String task =
        dashboard.submit(
            """
            {"name": %s, "tasks": [
              {"kind": %s, "name": %s, "retry": %s, "payload": {"text": %s, %s: 1},
               "metadata": {"text": %s, %s: [%s]}}]}"""
                .formatted(
                    Dashboard.quoted("import " + name),
                    Dashboard.quoted(kind),
                    Dashboard.quoted(name),
                    LATER,
                    quoted,
                    quoted,
                    quoted,
                    quoted,
                    quoted));
    client.settle(
        server
            .post(
                "/task/claim",
                "{\"worker\": %s, \"kinds\": [%s]}"
                    .formatted(Dashboard.quoted(name), Dashboard.quoted(kind)))
            .json()
            .get(0),
        "\"status\": \"Failure\", \"failure_code\": %s, \"failure_reason\": %s"
            .formatted(Dashboard.quoted(kind), quoted));
    dashboard.submit("{\"kind\": \"mail\", \"name\": \"waiting\"}");
    server.post(
        "/schedule",
        """
        {"name": "nightly", "trigger": {"every": "1h"}, "task": {"kind": "report", "payload": {"text": %s}}}"""
            .formatted(quoted));
    String batch = client.show(task).get("batch_id").stringValue();
    return new SampleData(task, kind + " · " + name, batch, "import " + name, "nightly");
  }
}
