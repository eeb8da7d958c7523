// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that failed so far and that its policy wants tried again, on its way to a {@link
 * HandOverTarget}.
 *
 * @param kind what sort of work it is to the successor
 * @param payload what it needs to be done; anything the successor can store
 * @param policy counts the attempts made so far and the age, as if nothing had changed hands
 * @param idempotencyKey the same on every attempt, before and after
 * @param age how long ago it was begun: what the policy's expiry counts from
 * @param failedAttempts those that failed, oldest first and without a gap; perhaps only the newest.
 *     The delay of the last one is still to be waited for
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

  /** The most attempts that are told one by one. */
  public static final int MAX_ATTEMPTS = 100;

  public HandOverRequest {
    requireKind(kind);
    requireKey(idempotencyKey);
    requireNonNull(policy, "policy");
    if (age.isNegative()) {
      throw new IllegalArgumentException("age: must not be negative, not " + age);
    }
    failedAttempts = List.copyOf(failedAttempts);
    if (failedAttempts.isEmpty() || failedAttempts.size() > MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "attempts: must be 1 to " + MAX_ATTEMPTS + ", not " + failedAttempts.size());
    }
    for (int i = 1; i < failedAttempts.size(); i++) {
      if (failedAttempts.get(i).number() != failedAttempts.get(i - 1).number() + 1) {
        throw new IllegalArgumentException("attempts: must follow each other without a gap");
      }
    }
  }

  /** The kind, if it can be one. */
  public static String requireKind(String kind) {
    return requireText("kind", kind, MAX_KIND_LENGTH);
  }

  /** The key, if it can be one. */
  public static String requireKey(String key) {
    return requireText("idempotencyKey", key, MAX_KEY_LENGTH);
  }

  private static String requireText(String field, String value, int most) {
    if (value.isBlank() || value.length() > most) {
      throw new IllegalArgumentException(
          field + ": must have 1 to " + most + " characters, not " + value.length());
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + ": must not contain the character NUL");
    }
    return value;
  }
}
