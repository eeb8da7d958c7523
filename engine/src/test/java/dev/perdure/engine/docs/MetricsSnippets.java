// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.docs;

import dev.perdure.engine.Engine;
import dev.perdure.engine.micrometer.EngineMetrics;
import dev.perdure.engine.micrometer.StoreGauges;
import dev.perdure.engine.spi.TaskStore;
import io.micrometer.core.instrument.MeterRegistry;

/** The Java snippets of the metrics section in the guide, compiled. */
final class MetricsSnippets {

  private MetricsSnippets() {}

  static Engine measured(TaskStore store, MeterRegistry registry) {
    Engine engine = Engine.builder(store).slots(200).listener(EngineMetrics.of(registry)).build();
    return engine;
  }

  static StoreGauges counted(Engine engine, MeterRegistry registry) {
    StoreGauges gauges = StoreGauges.bind(engine.tasks(), registry);
    gauges.refresh(); // call it regularly, for example from a timer
    return gauges;
  }
}
