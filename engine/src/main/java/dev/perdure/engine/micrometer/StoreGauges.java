// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import dev.perdure.engine.store.Statistics;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.task.TaskState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/**
 * What the store holds: {@code tasks_by_status} and {@code retries_pending}. Counting is dear, so
 * it is done when somebody calls {@link #refresh()}, not whenever a gauge is read.
 */
@SuppressWarnings("exports") // Whoever calls it has Micrometer.
public final class StoreGauges {

  private final TaskReader reader;
  private volatile Statistics last;

  private StoreGauges(TaskReader reader) {
    this.reader = reader;
    this.last = reader.statistics();
  }

  /** Registers the gauges, with the counts of this moment. */
  public static StoreGauges bind(TaskReader reader, MeterRegistry registry) {
    StoreGauges gauges = new StoreGauges(reader);
    for (TaskState state : TaskState.values()) {
      gauge(gauges, "tasks.by.status", counts -> counts.byState().getOrDefault(state, 0L))
          .tag("status", state.text())
          .register(registry);
    }
    gauge(gauges, "retries.pending", Statistics::waiting).register(registry);
    return gauges;
  }

  /** Counts anew. */
  public void refresh() {
    last = reader.statistics();
  }

  private static Gauge.Builder<StoreGauges> gauge(
      StoreGauges gauges, String name, ToDoubleFunction<Statistics> value) {
    return Gauge.builder(name, gauges, one -> value.applyAsDouble(one.last)).strongReference(true);
  }
}
