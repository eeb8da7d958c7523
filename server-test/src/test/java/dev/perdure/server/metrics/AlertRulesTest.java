// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alert rules see what a server reports before and after its first events. */
class AlertRulesTest {

  @TempDir private Path folder;

  /** Rules that one event is enough for. */
  private static List<String> rulesForOneEvent() throws IOException {
    return AlertRules.read().rules().stream()
        .filter(rule -> !rule.containsKey("for"))
        .map(rule -> rule.get("expr").toString())
        .toList();
  }

  /** The increase of a counter is 0 when it is first scraped, whatever its value. */
  @Test
  void one_event_is_enough_even_if_its_counter_is_new() throws Exception {
    Set<String> zeros;
    try (TestServer server = TestDatabase.SQLITE.server(folder, Map.of())) {
      zeros = Scrape.of(server.get("/metrics").body()).sums().keySet();
    }

    assertThat(rulesForOneEvent())
        .hasSizeGreaterThan(3)
        .allSatisfy(
            query ->
                assertThat(Dashboard.selections(query))
                    .isNotEmpty()
                    .allSatisfy(
                        selection ->
                            assertThat(
                                    zeros.contains(selection.metric())
                                        || seesNewSeries(query, selection.metric()))
                                .as("%s in %s", selection.metric(), query)
                                .isTrue()));
  }

  private static boolean seesNewSeries(String query, String metric) {
    String plain = query.replaceAll("\\{[^}]*}", "");
    return plain.matches(
        "(?s).*\\bor\\b.*%1$s\\s+unless\\s+%1$s\\s+offset\\s+15m.*".formatted(metric));
  }

  @Test
  void a_delivery_that_is_given_up_increases_a_counter_that_was_there_before() throws Exception {
    try (TestServer server = TestDatabase.SQLITE.server(folder, Map.of())) {
      String metrics = server.get("/metrics").body();

      assertThat(List.of("on_start", "on_success", "on_finished", "cancel_action", "notify"))
          .allSatisfy(
              trigger ->
                  assertThat(metrics)
                      .contains(
                          "perdure_webhook_executions_total{outcome=\"dead\",trigger=\"%s\"} 0.0"
                              .formatted(trigger)));
    }
  }

  @Test
  void tasks_that_no_worker_takes_cause_an_alert_although_none_ever_started() throws Exception {
    String query =
        AlertRules.read().rules().stream()
            .filter(rule -> rule.get("alert").equals("PerdureTasksWait"))
            .map(rule -> rule.get("expr").toString())
            .findFirst()
            .orElseThrow();
    try (TestServer server = TestDatabase.SQLITE.server(folder, Map.of())) {
      server.post("/task", "[{\"kind\": \"nobody\"}, {\"kind\": \"nobody\"}]");
      server.post("/task", "{\"kind\": \"nobody\", \"run_at\": \"2100-01-01T00:00:00Z\"}");
      Scrape scrape = Scrape.of(server.get("/metrics").body());

      assertThat(scrape.sums()).containsEntry("perdure_tasks_due", 2.0);
      assertThat(scrape.sums()).doesNotContainKey("perdure_task_wait_seconds_count");
    }
    assertThat(query)
        .contains(
            "or max(perdure_tasks_due)"
                + " > 60 * (sum(rate(perdure_task_wait_seconds_count[5m])) or vector(0))");
  }

  @Test
  void parentheses_are_balanced() throws IOException {
    assertThat(AlertRules.read().rules())
        .extracting(rule -> rule.get("expr").toString())
        .allSatisfy(
            query ->
                assertThat(query.chars().filter(c -> c == '(').count())
                    .isEqualTo(query.chars().filter(c -> c == ')').count()));
  }
}
