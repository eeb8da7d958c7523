// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a task is; it does not change while attempts come and go.
 *
 * @param kind what sort of work it is; which handler does it, unless it has a lane
 * @param name for people
 * @param payload JSON
 * @param metadata a JSON object, or null
 * @param policy the retry policy in its canonical JSON form; null means no retries
 * @param strategy the policy's backoff in one word, for statistics; null without a policy
 * @param timeout how long an attempt may be silent; null means as long as it likes
 * @param deadline when the task fails whatever its state; null means never
 * @param priority −1000 to 1000; each step is worth a second of waiting
 * @param idempotencyKey the same on every attempt
 * @param localId the submitter's own name for it
 * @param wiring the lane it is claimed under, and whom to call and to tell
 */
public record TaskDefinition(
    String kind,
    @Nullable String name,
    String payload,
    @Nullable String metadata,
    @Nullable String policy,
    @Nullable String strategy,
    @Nullable Duration timeout,
    @Nullable Instant deadline,
    int priority,
    @Nullable String idempotencyKey,
    @Nullable String localId,
    Wiring wiring) {

  public TaskDefinition {
    requireNonNull(kind, "kind");
    requireNonNull(payload, "payload");
    requireNonNull(wiring, "wiring");
  }

  /** A task of this kind with a payload and nothing else said. */
  public static TaskDefinition of(String kind, String payload) {
    return new TaskDefinition(
        kind, null, payload, null, null, null, null, null, 0, null, null, Wiring.NONE);
  }

  public @Nullable String queue() {
    return wiring.queue();
  }

  /** Whom to call and to tell, JSON; null when nobody is. */
  public @Nullable String actions() {
    return wiring.actions();
  }

  /** The name under which it is claimed: its lane, or its kind when it has none. */
  public String queueOrKind() {
    String lane = queue();
    return lane == null ? kind : lane;
  }
}
