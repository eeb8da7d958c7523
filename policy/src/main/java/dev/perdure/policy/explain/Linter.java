// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what is legal in a policy but unwise. */
public final class Linter {

  private Linter() {}

  /**
   * Where the policy will be used.
   *
   * @param clients how many clients follow it at once
   * @param method the HTTP method it retries, when that is known
   * @param idempotencyKey whether the requests carry an idempotency key
   * @param keyLifetime how long a server remembers such a key
   * @param layers how many layers of the system, one above the other, retry like this
   * @param amplificationBound how many times the usual load retries may make of it
   */
  public record Use(
      int clients,
      @Nullable String method,
      boolean idempotencyKey,
      Duration keyLifetime,
      int layers,
      double amplificationBound) {

    /** 1,000 clients, an unknown method, a key kept for a day, one layer, at most 6 times. */
    public static final Use DEFAULT = new Use(1_000, null, false, Duration.ofHours(24), 1, 6);
  }

  /**
   * One thing that is unwise.
   *
   * @param id a stable name, such as {@code no-jitter}
   * @param path the field it is about; empty for the policy as a whole
   * @param message what can happen
   * @param fix what to write instead
   */
  public record Warning(String id, String path, String message, String fix) {}

  /** All warnings, in the order of the fields. */
  public static List<Warning> lint(RetryPolicy policy, Use use) {
    throw new UnsupportedOperationException();
  }
}
