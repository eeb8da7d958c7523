// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.PolicyLimits;
import java.time.Duration;

/**
 * What a server allows the policies that are sent to it.
 *
 * @param task for the task dialect
 * @param others for every other form
 */
public record ServerPolicyLimits(PolicyLimits task, PolicyLimits others) {

  /** 10 retries and an hour in the task dialect; 1,000 retries and 90 days otherwise. */
  public static final ServerPolicyLimits DEFAULT =
      new ServerPolicyLimits(new PolicyLimits(10, Duration.ofHours(1)), PolicyLimits.DEFAULT);
}
