// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.PolicyLimits;
import java.time.Duration;
import java.time.Instant;

/**
 * The limits of a server for policies that clients send.
 *
 * @param task the limits for the task dialect
 * @param others the limits for all other dialects
 * @param earliestExpiry an {@code expires_at} before this instant is refused
 */
public record ServerPolicyLimits(PolicyLimits task, PolicyLimits others, Instant earliestExpiry) {

  /** 10 retries and one hour in the task dialect; 1,000 retries and 90 days in all others. */
  public static final ServerPolicyLimits DEFAULT =
      new ServerPolicyLimits(new PolicyLimits(10, Duration.ofHours(1)), PolicyLimits.DEFAULT);

  /** Creates limits that allow every expiry. */
  public ServerPolicyLimits(PolicyLimits task, PolicyLimits others) {
    this(task, others, Instant.MIN);
  }

  /** Returns the same limits, with another earliest expiry. */
  public ServerPolicyLimits withEarliestExpiry(Instant instant) {
    return new ServerPolicyLimits(task, others, instant);
  }
}
