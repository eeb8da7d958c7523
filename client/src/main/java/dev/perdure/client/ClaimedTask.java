// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A task that this worker has claimed: run it, then settle {@link #attempt}.
 *
 * @param attempt what {@code heartbeat}, {@code succeed} and {@code fail} need
 * @param leaseUntil when the server considers the worker lost, unless a heartbeat comes first
 * @param traceparent the W3C trace context for the worker's own spans
 */
public record ClaimedTask(
    TaskInfo task,
    AttemptRef attempt,
    Instant leaseUntil,
    @Nullable String traceparent,
    @Nullable String tracestate) {

  static ClaimedTask of(JsonNode json) {
    JsonFields lease = new JsonFields(json);
    TaskInfo task = TaskInfo.of(json);
    return new ClaimedTask(
        task,
        AttemptRef.ofLease(task.id(), task.epoch()),
        lease.required("lease_until", lease::instant),
        lease.text("traceparent"),
        lease.text("tracestate"));
  }
}
