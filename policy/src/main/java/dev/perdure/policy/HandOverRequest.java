// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Failed work that its policy wants to retry, to be handed over to a {@link HandOverTarget}.
 *
 * @param kind the kind of task that it becomes
 * @param payload the input of the task; any value that the target can store
 * @param policy the policy, which continues to count attempts and age across the hand-over
 * @param idempotencyKey the key that is the same on every attempt, before and after the hand-over
 * @param age how long ago the work started; the policy's expiry counts from there
 * @param failedAttempts the failed attempts, oldest first and without gaps; if there were too many,
 *     only the newest. The delay of the last one has not passed yet
 */
public record HandOverRequest(
    String kind,
    @Nullable Object payload,
    RetryPolicy policy,
    String idempotencyKey,
    Duration age,
    List<FailedAttempt> failedAttempts) {

  public static final int MAX_KIND_LENGTH = 100;
  public static final int MAX_KEY_LENGTH = 255;

  /** The maximum number of attempts in {@code failedAttempts}. */
  public static final int MAX_ATTEMPTS = 100;

  public HandOverRequest {
    requireKind(kind);
    requireKey(idempotencyKey);
    requireNonNull(policy, "policy");
    if (age.isNegative()) {
      throw new IllegalArgumentException("age: must be 0 or more, not " + age);
    }
    failedAttempts = List.copyOf(failedAttempts);
    if (failedAttempts.isEmpty() || failedAttempts.size() > MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "failedAttempts: must have 1 to %d entries, not %d"
              .formatted(MAX_ATTEMPTS, failedAttempts.size()));
    }
    for (int i = 1; i < failedAttempts.size(); i++) {
      if (failedAttempts.get(i).number() != failedAttempts.get(i - 1).number() + 1) {
        throw new IllegalArgumentException("failedAttempts: must be numbered without gaps");
      }
    }
  }

  /** Returns the kind if it is valid, and throws otherwise. */
  public static String requireKind(String kind) {
    return requireText("kind", kind, MAX_KIND_LENGTH);
  }

  /** Returns the key if it is valid, and throws otherwise. */
  public static String requireKey(String key) {
    return requireText("idempotencyKey", key, MAX_KEY_LENGTH);
  }

  private static String requireText(String field, String value, int maxLength) {
    if (value.isBlank() || value.length() > maxLength) {
      throw new IllegalArgumentException(
          "%s: must have 1 to %d characters and not be blank; it has %d"
              .formatted(field, maxLength, value.length()));
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + ": must not contain the NUL character");
    }
    return value;
  }
}
