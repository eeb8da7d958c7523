// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;

/**
 * What to do when a server says how long to wait.
 *
 * @param honor whether its wish counts
 * @param cap the longest wait that a server can ask for; it may be longer than {@code max_delay}
 */
public record RetryAfter(boolean honor, Duration cap) {

  /** The cap of a policy that names none. */
  public static final Duration DEFAULT_CAP = Duration.ofHours(24);

  /** What a policy has that says nothing about it: honoured, up to {@link #DEFAULT_CAP}. */
  public static final RetryAfter DEFAULT = honored(DEFAULT_CAP);

  public RetryAfter {
    FieldErrors problems = new FieldErrors();
    problems.requireDelay("cap", cap);
    problems.throwIfAny();
  }

  public static RetryAfter honored(Duration cap) {
    return new RetryAfter(true, cap);
  }

  public static RetryAfter ignored() {
    return new RetryAfter(false, DEFAULT_CAP);
  }
}
