// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was submitted. Only the priority and the metadata can change later.
 *
 * @param kind what sort of work it is; chooses the handler unless a queue is set
 * @param name a name to show
 * @param payload JSON
 * @param metadata a JSON object, or null
 * @param policy the retry policy in canonical JSON; null means no retries
 * @param policyAsGiven the policy as the submitter wrote it; null when that is the canonical form
 * @param strategy the type of the policy's backoff, for statistics; null without a policy
 * @param timeout how long an attempt may go without a heartbeat; null means forever
 * @param deadline when the task fails, whatever its state; null means never
 * @param priority −1000 to 1000; each step counts as one second of waiting
 * @param idempotencyKey the key that handlers see on every attempt
 * @param localId the submitter's own name for the task
 * @param queue the name workers claim it under; null means its kind
 * @param actions JSON that says which webhooks to call; only the {@link DeliveryPlanner} and the
 *     handler of the queue read it
 * @param trace the submitter's place in a trace; null when it had none
 * @param rules its limits, as a JSON array; null when it has none
 * @param dedupeKey no two live tasks have the same; null when it may have duplicates
 */
public record TaskDefinition(
    String kind,
    @Nullable String name,
    String payload,
    @Nullable String metadata,
    @Nullable String policy,
    @Nullable String policyAsGiven,
    @Nullable String strategy,
    @Nullable Duration timeout,
    @Nullable Instant deadline,
    int priority,
    @Nullable String idempotencyKey,
    @Nullable String localId,
    @Nullable String queue,
    @Nullable String actions,
    @Nullable TraceContext trace,
    @Nullable String rules,
    @Nullable String dedupeKey) {

  public TaskDefinition {
    requireNonNull(kind, "kind");
    requireNonNull(payload, "payload");
  }

  /** A task without limits that may have duplicates. */
  public TaskDefinition(
      String kind,
      @Nullable String name,
      String payload,
      @Nullable String metadata,
      @Nullable String policy,
      @Nullable String policyAsGiven,
      @Nullable String strategy,
      @Nullable Duration timeout,
      @Nullable Instant deadline,
      int priority,
      @Nullable String idempotencyKey,
      @Nullable String localId,
      @Nullable String queue,
      @Nullable String actions,
      @Nullable TraceContext trace) {
    this(
        kind,
        name,
        payload,
        metadata,
        policy,
        policyAsGiven,
        strategy,
        timeout,
        deadline,
        priority,
        idempotencyKey,
        localId,
        queue,
        actions,
        trace,
        null,
        null);
  }

  /** A task with a kind and a payload and defaults for the rest. */
  public static TaskDefinition of(String kind, String payload) {
    return new TaskDefinition(
        kind, null, payload, null, null, null, null, null, null, 0, null, null, null, null, null);
  }

  /** The name workers claim the task under: its queue, or its kind when it has no queue. */
  public String queueOrKind() {
    return queue == null ? kind : queue;
  }

  /** The trace as stores keep it. */
  public @Nullable String traceText() {
    return trace == null ? null : trace.text();
  }
}
