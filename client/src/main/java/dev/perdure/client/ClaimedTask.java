// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A task that this worker has claimed: run it, then settle {@link #attempt}.
 *
 * @param attempt what {@code heartbeat}, {@code succeed} and {@code fail} need
 * @param leaseUntil when the server considers the worker lost, unless a heartbeat comes first
 * @param traceparent the W3C trace context for the worker's own spans
 * @param parents the tasks that it depends on, with their results
 * @param parentsTruncated true when it depends on more than the server sends with a task
 */
public record ClaimedTask(
    TaskInfo task,
    AttemptRef attempt,
    Instant leaseUntil,
    @Nullable String traceparent,
    @Nullable String tracestate,
    List<ClaimedParent> parents,
    boolean parentsTruncated) {

  static ClaimedTask of(JsonNode json) {
    JsonFields lease = new JsonFields(json);
    TaskInfo task = TaskInfo.of(json);
    return new ClaimedTask(
        task,
        AttemptRef.ofLease(task.id(), task.epoch()),
        lease.required("lease_until", lease::instant),
        lease.text("traceparent"),
        lease.text("tracestate"),
        lease.list("parents", ClaimedParent::of),
        lease.flag("parents_truncated"));
  }

  /**
   * The parent with this local id or UUID.
   *
   * @throws NoSuchElementException when it is not among {@link #parents}
   */
  public ClaimedParent parent(String id) {
    return parents.stream()
        .filter(parent -> id.equals(parent.localId()) || id.equals(parent.id().toString()))
        .findFirst()
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "task %s came without a parent '%s'".formatted(task.id(), id)));
  }
}
