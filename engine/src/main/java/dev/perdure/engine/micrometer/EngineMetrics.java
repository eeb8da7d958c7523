// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * Counts and times what one engine does: {@code builder.listener(EngineMetrics.of(registry))}. The
 * names in Prometheus are {@code perdure_task_retry_total}, {@code perdure_task_duration_seconds}
 * and so on. Counters are per node; {@link StoreGauges} shows what the store holds.
 */
@SuppressWarnings("exports") // Callers have Micrometer.
public final class EngineMetrics implements EngineListener {

  private static final String KIND = "kind";
  private static final Duration MAX_DURATION = Duration.ofDays(36_500);

  private final BoundedLabels kinds = new BoundedLabels();
  private final BoundedLabels triggers = new BoundedLabels();
  private final Counter created;
  private final Counter losses;
  private final Counter stale;
  private final Counter told;
  private final Counter drift;
  private final MeterProvider<Counter> completed;
  private final MeterProvider<Counter> batches;
  private final MeterProvider<Counter> retries;
  private final MeterProvider<Counter> exhausted;
  private final MeterProvider<Counter> webhooks;
  private final MeterProvider<Counter> storeErrors;
  private final Timer claims;
  private final Timer dependencyLag;
  private final MeterProvider<Timer> waits;
  private final MeterProvider<Timer> durations;
  private final MeterProvider<Timer> delays;
  private final MeterProvider<Timer> calls;

  private EngineMetrics(MeterRegistry registry) {
    created = counters(registry, CreatedSuffixNaming.NAME, "Tasks submitted").withTags();
    completed = counters(registry, "perdure.tasks.completed", "Tasks that ended, by outcome");
    retries = counters(registry, "perdure.task.retry", "Retries that started");
    exhausted = counters(registry, "perdure.task.retry.exhausted", "Tasks that ran out of retries");
    webhooks = counters(registry, "perdure.webhook.executions", "Outgoing webhook calls");
    losses =
        counters(registry, "perdure.lease.losses", "Attempts whose worker was lost").withTags();
    stale =
        counters(registry, "perdure.stale.writes", "Late writes of workers that lost their lease")
            .withTags();
    batches = counters(registry, "perdure.batches.ended", "Batches that are final, by outcome");
    drift =
        counters(
                registry,
                "perdure.limit.drift",
                "Limits whose number of tasks in use was wrong and was corrected")
            .withTags();
    told =
        counters(
                registry,
                "perdure.dependencies.told",
                "Dependencies that learned how their parent ended")
            .withTags();
    dependencyLag =
        HistogramBuckets.WORK
            .timers(
                "perdure.dependency.lag",
                "Time from the end of a task until its dependents learned of it",
                registry)
            .withTags();
    storeErrors = storeErrors(registry);
    claims =
        HistogramBuckets.CALLS
            .timers("perdure.claim.duration", "Duration of claims in the store", registry)
            .withTags();
    waits =
        HistogramBuckets.WORK.timers(
            "perdure.task.wait", "Time from due to the start of the attempt", registry);
    durations =
        HistogramBuckets.WORK.timers(
            "perdure.task.duration", "Duration of attempts, by outcome", registry);
    delays =
        HistogramBuckets.DELAYS.timers(
            "perdure.task.retry.delay", "Delays before retries that policies chose", registry);
    calls =
        HistogramBuckets.CALLS.timers(
            "perdure.webhook.duration", "Duration of outgoing webhook calls", registry);
  }

  /** The counters of failed store operations, by the component that needed the store. */
  public static MeterProvider<Counter> storeErrors(MeterRegistry registry) {
    return counters(registry, "perdure.store.errors", "Failed operations of the store");
  }

  private static MeterProvider<Counter> counters(
      MeterRegistry registry, String name, String description) {
    return Counter.builder(name).description(description).withRegistry(registry);
  }

  /**
   * Writes to this registry. Its naming convention is changed to keep the name {@code
   * perdure.tasks.created}.
   */
  public static EngineMetrics of(MeterRegistry registry) {
    CreatedSuffixNaming.install(registry);
    return new EngineMetrics(registry);
  }

  @Override
  public void onSubmitted(int tasks) {
    created.increment(tasks);
  }

  @Override
  public void onClaimed(int tasks, Duration took) {
    claims.record(took);
  }

  @Override
  public void onStarted(Lease lease, Instant now) {
    Task task = lease.task();
    Duration wait = Duration.between(task.times().dueAt(), now);
    waits.withTags(KIND, kind(task)).record(measurable(wait));
    String failure = lease.previousFailureKind();
    if (failure != null) {
      retries
          .withTags(
              KIND,
              kind(task),
              "attempt",
              BoundedLabels.attempt(task.retryCounters().attempt()),
              "failure",
              failure)
          .increment();
    }
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    AttemptDetails details = change.attemptDetails();
    if (details != null) {
      attemptEnded(before, change, details, ran);
    }
    if (change.to().isTerminal() && before.state().isLive()) {
      ended(before, change);
    }
  }

  private void attemptEnded(Task before, TaskChange change, AttemptDetails details, Duration ran) {
    durations
        .withTags(KIND, kind(before), "outcome", details.outcome().text())
        .record(measurable(ran));
    if (details.outcome() == AttemptOutcome.LOST) {
      losses.increment();
    }
    if (change.to() == TaskState.RETRY_PENDING && details.delay() != null) {
      String strategy = before.definition().strategy();
      delays.withTags("strategy", strategy == null ? "none" : strategy).record(details.delay());
    }
  }

  private void ended(Task before, TaskChange change) {
    completed.withTags(KIND, kind(before), "outcome", change.to().text()).increment();
    if (change.giveUpReason() == TaskGiveUpReason.EXHAUSTED) {
      exhausted.withTags(KIND, kind(before)).increment();
    }
  }

  @Override
  public void onBatchEnded(UUID batch, BatchOutcome outcome) {
    batches.withTags("outcome", outcome.text()).increment();
  }

  @Override
  public void onLimitsCorrected(int limits) {
    drift.increment(limits);
  }

  @Override
  public void onPropagated(int dependencies, Duration lag) {
    told.increment(dependencies);
    dependencyLag.record(measurable(lag));
  }

  /** Also counts calls that are no deliveries, such as {@code on_start}. */
  @Override
  public void onDeliveryAttempted(String trigger, DeliveryOutcome outcome, Duration took) {
    String label = triggers.bounded(trigger);
    webhooks.withTags("trigger", label, "outcome", outcome.text()).increment();
    calls.withTags("trigger", label).record(took);
  }

  @Override
  public void onStaleWrite(LeaseKey key) {
    stale.increment();
  }

  @Override
  public void onStoreError(String component, RuntimeException error) {
    storeErrors.withTags("component", component).increment();
  }

  private String kind(Task task) {
    return kinds.bounded(task.definition().kind());
  }

  /** Limits a duration to what fits in nanoseconds: a task may be due since the year 0. */
  private static Duration measurable(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(MAX_DURATION) > 0 ? MAX_DURATION : wait;
  }
}
