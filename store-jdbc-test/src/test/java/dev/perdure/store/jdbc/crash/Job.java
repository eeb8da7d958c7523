// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.crash;

import dev.perdure.engine.NewTask;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The work of a task in the crash tests.
 *
 * @param failures how many attempts fail before one succeeds
 * @param permanent true if a failure is not retried
 * @param millis duration of each attempt
 */
record Job(int failures, boolean permanent, int millis) {

  static final String KIND = "job";

  private static final int RETRIES = 3;
  private static final RetryPolicy POLICY =
      RetryPolicy.fixed(Duration.ofMillis(100)).maxRetries(RETRIES).build();

  /**
   * Returns a random job. Most are quick and succeed; some fail once or more, some fail
   * permanently, some take longer.
   */
  static Job any(RandomGenerator random, Duration longest) {
    int failures = random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(RETRIES + 1);
    boolean permanent = failures > 0 && random.nextInt(5) == 0;
    int maxMillis = random.nextInt(6) == 0 ? (int) longest.toMillis() : 20;
    int millis = random.nextInt(maxMillis);
    return new Job(failures, permanent, millis);
  }

  NewTask task() {
    return NewTask.of(KIND, this).retry(POLICY);
  }
}
