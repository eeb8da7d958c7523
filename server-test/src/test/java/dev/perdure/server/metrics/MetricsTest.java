// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every documented metric is written, and shown on the dashboard; alerts use no others. */
@Tag("slow")
@ParameterizedClass
@EnumSource(TestDatabase.class)
class MetricsTest {

  /** The documented metrics: the name of the main series and its labels. */
  private static final Map<String, Set<String>> DOCUMENTED =
      Map.ofEntries(
          Map.entry("perdure_task_retry_total", Set.of("kind", "attempt", "failure")),
          Map.entry("perdure_task_retry_exhausted_total", Set.of("kind")),
          Map.entry("perdure_tasks_created_total", Set.of()),
          Map.entry("perdure_tasks_completed_total", Set.of("kind", "outcome")),
          Map.entry("perdure_task_duration_seconds_count", Set.of("kind", "outcome")),
          Map.entry("perdure_task_duration_seconds_bucket", Set.of("kind", "outcome", "le")),
          Map.entry("perdure_task_wait_seconds_count", Set.of("kind")),
          Map.entry("perdure_task_wait_seconds_bucket", Set.of("kind", "le")),
          Map.entry("perdure_task_retry_delay_seconds_count", Set.of("strategy")),
          Map.entry("perdure_task_retry_delay_seconds_bucket", Set.of("strategy", "le")),
          Map.entry("perdure_tasks_by_status", Set.of("status")),
          Map.entry("perdure_tasks_due", Set.of()),
          Map.entry("perdure_retries_pending", Set.of()),
          Map.entry("perdure_limit_used", Set.of("kind", "type", "scope")),
          Map.entry("perdure_limit_max", Set.of("kind", "type", "scope")),
          Map.entry("perdure_limit_waiting", Set.of("kind", "type", "scope")),
          Map.entry("perdure_lease_losses_total", Set.of()),
          Map.entry("perdure_stale_writes_total", Set.of()),
          Map.entry("perdure_batches_ended_total", Set.of("outcome")),
          Map.entry("perdure_dependencies_told_total", Set.of()),
          Map.entry("perdure_dependency_lag_seconds_count", Set.of()),
          Map.entry("perdure_dependency_lag_seconds_bucket", Set.of("le")),
          Map.entry("perdure_claim_duration_seconds_count", Set.of()),
          Map.entry("perdure_claim_duration_seconds_bucket", Set.of("le")),
          Map.entry("perdure_store_errors_total", Set.of("component")),
          Map.entry("perdure_webhook_executions_total", Set.of("outcome", "trigger")),
          Map.entry("perdure_webhook_duration_seconds_count", Set.of("trigger")),
          Map.entry("perdure_webhook_duration_seconds_bucket", Set.of("trigger", "le")));

  private static final Pattern LABEL = Pattern.compile("\\$labels\\.(\\w+)");

  /** Twelve bounds and +Inf. */
  private static final int BUCKETS = 13;

  /** Two hundred kinds, and "other" for the rest. */
  private static final int MAX_VALUES = 201;

  @TempDir private static Path folder;

  private static MetricsScenario scenario;
  private static Scrape scrape;

  /** Unused: the tests read the scrape, which is made once for each database. */
  @Parameter
  @SuppressWarnings("unused")
  private TestDatabase database;

  @BeforeParameterizedClassInvocation
  static void produceAndScrape(TestDatabase database) throws Exception {
    scenario = new MetricsScenario(database, folder);
    scenario.produceEveryMetric();
    for (String metric : DOCUMENTED.keySet()) {
      scenario.awaitWritten(metric);
    }
    scrape = scenario.scrape();
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    scenario.close();
  }

  static Stream<String> documented() {
    return DOCUMENTED.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("documented")
  void a_documented_metric_is_written_with_exactly_its_labels(String metric) {
    assertThat(scrape.sums().get(metric)).isPositive();
    assertThat(scrape.labels().get(metric)).isEqualTo(DOCUMENTED.get(metric));
  }

  @ParameterizedTest
  @MethodSource("documented")
  void a_metric_also_has_its_name_without_the_prefix(String metric) {
    String shortName = metric.substring("perdure_".length());
    assertThat(scrape.sums().get(shortName)).isEqualTo(scrape.sums().get(metric));
    assertThat(scrape.labels().get(shortName)).isEqualTo(DOCUMENTED.get(metric));
  }

  @Test
  void every_metric_has_a_help_text() {
    assertThat(scrape.helps())
        .hasSizeGreaterThan(DOCUMENTED.size())
        .allSatisfy((metric, help) -> assertThat(help).as(metric).hasSizeGreaterThan(10));
    assertThat(scrape.types()).isEqualTo(scrape.helps().keySet());
  }

  @Test
  void the_number_of_label_values_is_bounded() {
    assertThat(scrape.values())
        .allSatisfy((label, values) -> assertThat(values).hasSizeLessThanOrEqualTo(MAX_VALUES));
    assertThat(scrape.values().get("perdure_tasks_completed_total.kind"))
        .hasSizeGreaterThan(MAX_VALUES / 2)
        .contains("other");
  }

  @Test
  void histograms_have_thirteen_buckets() {
    List<String> histograms = documented().filter(metric -> metric.endsWith("_bucket")).toList();

    assertThat(histograms).hasSize(6);
    assertThat(histograms)
        .allSatisfy(
            metric ->
                assertThat(scrape.values().get(metric + ".le")).hasSize(BUCKETS).contains("+Inf"));
  }

  @Test
  void failed_claims_and_metric_queries_count_as_store_errors() {
    assertThat(scrape.values().get("perdure_store_errors_total.component"))
        .contains("metrics", "claim");
  }

  @Test
  void webhook_metrics_have_trigger_and_outcome() {
    assertThat(scrape.values().get("perdure_webhook_executions_total.trigger"))
        .containsExactlyInAnyOrder(
            "on_start",
            "on_success",
            "on_failure",
            "on_retry",
            "on_cancel",
            "on_finished",
            "cancel_action",
            "notify");
    assertThat(scrape.values().get("perdure_webhook_executions_total.outcome"))
        .containsExactlyInAnyOrder("sent", "failed", "dead");
    assertThat(scrape.values().get("perdure_webhook_duration_seconds_count.trigger"))
        .containsExactlyInAnyOrder("on_start", "on_success");
    assertThat(scrape.sums().get("perdure_webhook_executions_total")).isEqualTo(3);
    assertThat(scrape.sums().get("perdure_webhook_duration_seconds_count")).isEqualTo(3);
  }

  @Test
  void no_label_identifies_a_single_task() {
    assertThat(scrape.labels().values())
        .allSatisfy(
            labels ->
                assertThat(labels)
                    .doesNotContain("task", "id", "batch", "name", "message", "node"));
  }

  @Test
  void the_dashboard_queries_only_existing_metrics_and_labels() throws IOException {
    List<Dashboard.Selection> selections = Dashboard.read().selections();

    assertThat(selections).hasSizeGreaterThan(10);
    assertThat(selections)
        .allSatisfy(
            selection -> {
              assertThat(scrape.sums().keySet()).contains(selection.metric());
              assertThat(scrape.labels().get(selection.metric())).containsAll(selection.labels());
            });
  }

  @Test
  void the_alert_rules_query_only_existing_metrics_and_labels() throws IOException {
    AlertRules alerts = AlertRules.read();

    assertThat(alerts.rules())
        .hasSizeGreaterThan(5)
        .allSatisfy(rule -> assertThat(rule.keySet()).asString().contains("alert", "expr"));
    assertThat(alerts.selections())
        .hasSizeGreaterThan(alerts.rules().size())
        .extracting(Dashboard.Selection::metric)
        .contains("perdure_task_retry_total");
    assertThat(alerts.selections())
        .allSatisfy(
            selection -> {
              assertThat(scrape.sums().keySet()).contains(selection.metric());
              assertThat(scrape.labels().get(selection.metric())).containsAll(selection.labels());
            });
  }

  @Test
  void an_alert_names_only_labels_that_its_query_has() throws IOException {
    for (Map<?, ?> rule : AlertRules.read().rules()) {
      Set<String> labels = new TreeSet<>();
      Dashboard.selections(rule.get("expr").toString())
          .forEach(selection -> labels.addAll(selection.labels()));
      assertThat(LABEL.matcher(rule.get("annotations").toString()).results())
          .allSatisfy(found -> assertThat(labels).as("%s", rule).contains(found.group(1)));
    }
  }

  @Test
  void the_dashboard_shows_every_metric() throws IOException {
    assertThat(Dashboard.read().selections())
        .extracting(Dashboard.Selection::metric)
        .containsAll(DOCUMENTED.keySet());
  }
}
