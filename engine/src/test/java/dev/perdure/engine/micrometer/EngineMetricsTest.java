// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.policy.Failure;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EngineMetricsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration RAN = Duration.ofMillis(250);
  private static final Outcome FAILED = new Outcome.Failed(Failure.explicit("x"), null);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final EngineMetrics metrics = EngineMetrics.of(registry);
  private final TaskLifecycle taskLifecycle = new TaskLifecycle(LossLimit.DEFAULT);

  private static Task running(String kind, long attempt) {
    return new Task(
        new UUID(1, 2),
        new UUID(3, 4),
        0,
        new TaskDefinition(
            kind,
            null,
            "{}",
            null,
            "{\"max_retries\":1,\"backoff\":{\"type\":\"fixed\",\"delay\":\"4s\"},\"jitter\":\"none\"}",
            null,
            "fixed",
            null,
            null,
            0,
            null,
            null,
            null,
            null,
            null),
        TaskState.RUNNING,
        Set.of(),
        1,
        "node",
        null,
        null,
        new RetryCounters(attempt, 0, 0, null),
        new TaskTimes(NOW, NOW, NOW, NOW, null, NOW),
        Progress.NONE,
        LastResult.NONE,
        DependencyCounts.NONE);
  }

  @Test
  void counts_submitted_tasks_stale_writes_and_store_errors_and_times_claims() {
    metrics.onSubmitted(3);
    metrics.onClaimed(2, Duration.ofMillis(5));
    metrics.onStaleWrite(new LeaseKey(new UUID(1, 2), 1));
    metrics.onStoreError("claim", new IllegalStateException("unavailable"));

    assertThat(registry.get("perdure.tasks.created").counter().count()).isEqualTo(3);
    assertThat(registry.get("perdure.claim.duration").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(5);
    assertThat(registry.get("perdure.stale.writes").counter().count()).isEqualTo(1);
    assertThat(registry.get("perdure.store.errors").tag("component", "claim").counter().count())
        .isEqualTo(1);
  }

  @Test
  void counts_batches_that_are_final_by_outcome() {
    metrics.onBatchEnded(new UUID(0, 1), BatchOutcome.FAILURE);
    metrics.onBatchEnded(new UUID(0, 2), BatchOutcome.FAILURE);
    assertThat(registry.get("perdure.batches.ended").tag("outcome", "failure").counter().count())
        .isEqualTo(2);
  }

  @Test
  void counts_dependencies_and_times_how_late_they_are_told() {
    metrics.onPropagated(3, Duration.ofMillis(20));

    assertThat(registry.get("perdure.dependencies.told").counter().count()).isEqualTo(3);
    assertThat(registry.get("perdure.dependency.lag").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(20);
  }

  @Test
  void times_the_wait_of_a_started_task_and_counts_its_retry() {
    metrics.onStarted(new Lease(running("mail", 0), null, false), NOW.plusSeconds(2));
    metrics.onStarted(new Lease(running("mail", 5), "timeout", false), NOW);

    assertThat(registry.get("perdure.task.wait").timer().totalTime(TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(
            registry
                .get("perdure.task.retry")
                .tags("kind", "mail", "attempt", "4-9", "failure", "timeout")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void records_a_wait_too_long_for_a_long_of_nanoseconds() {
    metrics.onStarted(
        new Lease(running("mail", 0), null, false), NOW.plus(Duration.ofDays(800_000)));

    assertThat(registry.get("perdure.task.wait").timer().count()).isEqualTo(1);
  }

  /** The start is on the database's clock, which may be slightly ahead of the node's. */
  @Test
  void counts_an_attempt_with_a_negative_duration() {
    Task task = running("mail", 0);

    metrics.onChanged(
        task, taskLifecycle.settle(task, new Outcome.Succeeded(null), NOW), Duration.ofMillis(-14));

    assertThat(registry.get("perdure.task.duration").timer().count()).isEqualTo(1);
  }

  @Test
  void counts_successes_failures_retries_and_losses_separately() {
    Task first = running("mail", 0);
    Task last = running("mail", 1);
    metrics.onChanged(first, taskLifecycle.settle(first, FAILED, NOW), RAN);
    metrics.onChanged(last, taskLifecycle.settle(last, FAILED, NOW), RAN);
    metrics.onChanged(first, taskLifecycle.settle(first, new Outcome.Succeeded(null), NOW), RAN);
    metrics.onChanged(first, taskLifecycle.workerLost(first), RAN);

    assertThat(registry.get("perdure.task.retry.delay").tag("strategy", "fixed").timer().count())
        .isEqualTo(1);
    assertThat(registry.get("perdure.task.retry.exhausted").tag("kind", "mail").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("perdure.tasks.completed").tag("outcome", "failure").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("perdure.tasks.completed").tag("outcome", "success").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("perdure.lease.losses").counter().count()).isEqualTo(1);
    assertThat(registry.get("perdure.task.duration").tag("outcome", "failure").timer().count())
        .isEqualTo(2);
  }

  @Test
  void counts_and_times_webhook_deliveries_by_trigger_and_outcome() {
    metrics.onDeliveryAttempted("on_success", DeliveryOutcome.SENT, RAN);
    metrics.onDeliveryAttempted("on_success", DeliveryOutcome.FAILED, RAN);
    metrics.onDeliveryAttempted("on_start", DeliveryOutcome.DEAD, RAN);

    assertThat(executions("on_success", "sent")).isEqualTo(1);
    assertThat(executions("on_success", "failed")).isEqualTo(1);
    assertThat(executions("on_start", "dead")).isEqualTo(1);
    assertThat(
            registry.get("perdure.webhook.duration").tag("trigger", "on_success").timer().count())
        .isEqualTo(2);
  }

  private double executions(String trigger, String outcome) {
    return registry
        .get("perdure.webhook.executions")
        .tags("trigger", trigger, "outcome", outcome)
        .counter()
        .count();
  }

  @Test
  void a_prometheus_scrape_has_the_documented_metric_names() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    prometheus.counter("tasks").increment();
    EngineMetrics scraped = EngineMetrics.of(new CompositeMeterRegistry().add(prometheus));
    StoreGauges.bind(reader(), prometheus);
    Task last = running("mail", 1);
    scraped.onSubmitted(3);
    scraped.onClaimed(2, RAN);
    scraped.onStarted(new Lease(last, "timeout", false), NOW);
    scraped.onChanged(
        running("mail", 0), taskLifecycle.settle(running("mail", 0), FAILED, NOW), RAN);
    scraped.onChanged(last, taskLifecycle.settle(last, FAILED, NOW), RAN);
    scraped.onDeliveryAttempted("on_success", DeliveryOutcome.SENT, RAN);
    scraped.onStaleWrite(last.lease());
    scraped.onStoreError("claim", new IllegalStateException("unavailable"));

    assertThat(prometheus.scrape().lines())
        .contains("perdure_tasks_created_total 3.0", "tasks_total 1.0")
        .filteredOn(line -> !line.startsWith("#"))
        .extracting(line -> line.split("[ {]", 2)[0])
        .contains(
            "perdure_task_retry_total",
            "perdure_task_retry_exhausted_total",
            "perdure_tasks_completed_total",
            "perdure_task_duration_seconds_count",
            "perdure_task_wait_seconds_count",
            "perdure_task_retry_delay_seconds_count",
            "perdure_tasks_by_status",
            "perdure_retries_pending",
            "perdure_webhook_executions_total",
            "perdure_webhook_duration_seconds_count",
            "perdure_lease_losses_total",
            "perdure_stale_writes_total",
            "perdure_claim_duration_seconds_count",
            "perdure_store_errors_total");
  }

  private static TaskReader reader() {
    return (TaskReader)
        Proxy.newProxyInstance(
            TaskReader.class.getClassLoader(),
            new Class<?>[] {TaskReader.class},
            (proxy, method, arguments) ->
                new StoreStatistics(Map.of(), 0, 0, 0, Map.of(), Map.of(), Map.of(), null, null));
  }

  @Test
  void bounds_the_number_of_kind_labels() {
    for (int i = 0; i < 1_000; i++) {
      metrics.onStarted(new Lease(running("kind" + i, 0), null, false), NOW);
    }

    Set<String> kinds =
        registry.getMeters().stream()
            .map(Meter::getId)
            .filter(id -> id.getName().equals("perdure.task.wait"))
            .map(id -> id.getTag("kind"))
            .collect(Collectors.toSet());
    assertThat(kinds).hasSize(BoundedLabels.MAX_VALUES + 1).contains(BoundedLabels.OTHER);
  }
}
