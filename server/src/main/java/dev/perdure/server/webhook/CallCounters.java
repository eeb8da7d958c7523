// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.task.DeliveryOutcome;
import dev.perdure.server.webhook.action.ActionTrigger;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.stream.Stream;

/** The counters of outgoing calls that {@code EngineMetrics} increments. */
public final class CallCounters {

  private static final List<DeliveryOutcome> OUTCOMES =
      List.of(DeliveryOutcome.SENT, DeliveryOutcome.FAILED, DeliveryOutcome.DEAD);

  private CallCounters() {}

  /**
   * Registers them with the value 0. Prometheus cannot see the increase of a counter that is first
   * there with the value 1, so the first call that is given up would cause no alert.
   */
  public static void registerZeros(MeterRegistry registry) {
    Stream.concat(
            Stream.of(ActionTrigger.values()).map(ActionTrigger::field),
            Stream.of(WebhookDeliveryPlanner.CANCEL_ACTION, StoredActions.NOTIFY))
        .forEach(
            trigger ->
                OUTCOMES.forEach(
                    outcome ->
                        Counter.builder("perdure.webhook.executions")
                            .description("Outgoing webhook calls")
                            .tags("trigger", trigger, "outcome", outcome.text())
                            .register(registry)));
  }
}
