// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import dev.perdure.engine.EngineListener;
import dev.perdure.engine.schedule.FiringProblem;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Counts firings that failed. The schedules are not a label: an API caller names them. */
final class ScheduleMetrics implements EngineListener {

  private final Counter failures;

  ScheduleMetrics(MeterRegistry registry) {
    failures =
        Counter.builder("perdure.schedule.firing.failures")
            .description("Schedules that were due but could not fire; each new try counts")
            .register(registry);
  }

  @Override
  public void onFiringFailed(List<FiringProblem> problems) {
    failures.increment(problems.size());
  }
}
