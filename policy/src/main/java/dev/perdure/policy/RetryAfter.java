// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;

/**
 * What to do when a server asks for a delay.
 *
 * @param honor whether to wait as long as the server asks
 * @param cap the longest delay that a server can ask for; may be longer than {@code max_delay}
 */
public record RetryAfter(boolean honor, Duration cap) {

  /** The cap of a policy that does not set one. */
  public static final Duration DEFAULT_CAP = Duration.ofHours(24);

  /** The default: honored, up to {@link #DEFAULT_CAP}. */
  public static final RetryAfter DEFAULT = honored(DEFAULT_CAP);

  public RetryAfter {
    FieldErrors errors = new FieldErrors();
    errors.requireDelay("cap", cap);
    errors.throwIfAny();
  }

  public static RetryAfter honored(Duration cap) {
    return new RetryAfter(true, cap);
  }

  public static RetryAfter ignored() {
    return new RetryAfter(false, DEFAULT_CAP);
  }
}
