// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a task is; it does not change while attempts come and go.
 *
 * @param kind which handler does it
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
 */
public record Definition(
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
    @Nullable String localId) {

  public Definition {
    requireNonNull(kind, "kind");
    requireNonNull(payload, "payload");
  }

  /** A task of this kind with a payload and nothing else said. */
  public static Definition of(String kind, String payload) {
    return new Definition(kind, null, payload, null, null, null, null, null, 0, null, null);
  }
}
