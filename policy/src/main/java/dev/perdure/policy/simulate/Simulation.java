// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;

/** Puts many clients with one policy before a service in trouble, and watches. */
public final class Simulation {

  /** The most attempts a run may come to, worst case; a larger scenario is refused. */
  public static final long MOST_ATTEMPTS = 20_000_000;

  private Simulation() {}

  /**
   * The same scenario three times.
   *
   * @param withoutRetries every failure is final
   * @param withPolicy as the policy says
   * @param withBudget as the policy says, and at most so many retries per request
   */
  public record Report(Scenario scenario, Run withoutRetries, Run withPolicy, Run withBudget) {}

  /**
   * Runs it.
   *
   * @param failure what a client sees when an attempt is not answered in time
   * @throws IllegalArgumentException when the scenario makes no sense or is too large
   */
  public static Report of(RetryPolicy policy, Failure failure, Scenario scenario) {
    throw new UnsupportedOperationException();
  }
}
