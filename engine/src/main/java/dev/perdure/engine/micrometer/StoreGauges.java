// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import dev.perdure.engine.query.Backlog;
import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TaskState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of the store: {@code perdure_tasks_by_status} for the live statuses, {@code
 * perdure_tasks_due} and {@code perdure_retries_pending}. Counting takes a moment, so it happens in
 * {@link #refresh()} and not when a gauge is read. Before the first refresh, and after one that
 * failed, the gauges are NaN.
 */
@SuppressWarnings("exports") // Callers have Micrometer.
public final class StoreGauges {

  private static final Logger LOG = LoggerFactory.getLogger(StoreGauges.class);

  private final Supplier<Backlog> counter;
  private volatile @Nullable Backlog last;

  private StoreGauges(Supplier<Backlog> counter) {
    this.counter = counter;
  }

  /** Registers the gauges. The store is not asked before the first {@link #refresh()}. */
  public static StoreGauges bind(TaskReader reader, MeterRegistry registry) {
    return bind(reader::backlog, registry);
  }

  /** The same with counts that are shared with others. */
  public static StoreGauges bind(Supplier<Backlog> counter, MeterRegistry registry) {
    StoreGauges gauges = new StoreGauges(counter);
    for (DisplayStatus status : DisplayStatus.values()) {
      if (status.states().stream().anyMatch(TaskState::isLive)) {
        gauge(
                gauges,
                "perdure.tasks.by.status",
                counts -> counts.byStatus().getOrDefault(status, 0L))
            .description("Live tasks in the store by status")
            .tag("status", status.text())
            .register(registry);
      }
    }
    gauge(gauges, "perdure.retries.pending", Backlog::retriesPending)
        .description("Tasks in the store that wait for a retry")
        .register(registry);
    gauge(gauges, "perdure.tasks.due", Backlog::due)
        .description("Tasks in the store that a worker could claim now")
        .register(registry);
    return gauges;
  }

  /**
   * Counts again. When the store fails, the gauges become NaN instead of showing old values.
   *
   * @return true when it counted
   */
  public boolean refresh() {
    try {
      last = counter.get();
      return true;
    } catch (StoreException problem) {
      last = null;
      LOG.warn("the store's tasks could not be counted", problem);
      return false;
    }
  }

  private double value(ToDoubleFunction<Backlog> of) {
    Backlog known = last;
    return known == null ? Double.NaN : of.applyAsDouble(known);
  }

  private static Gauge.Builder<StoreGauges> gauge(
      StoreGauges gauges, String name, ToDoubleFunction<Backlog> value) {
    return Gauge.builder(name, gauges, one -> one.value(value)).strongReference(true);
  }
}
