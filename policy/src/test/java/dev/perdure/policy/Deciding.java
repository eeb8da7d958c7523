// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;

/** What a test says about decisions: the outlook and a few draws must agree on it. */
final class Deciding {

  private static final int DRAWS = 20;

  private Deciding() {}

  static void givesUp(RetryPolicy policy, Facts facts, Failure failure, GiveUpReason reason) {
    assertThat(policy.outlook(facts, failure)).isEqualTo(new Decision.GiveUp(reason));
    assertThat(policy.decide(facts, failure, new SplittableRandom(1)))
        .isEqualTo(new Decision.GiveUp(reason));
  }

  static void retriesAfter(RetryPolicy policy, Facts facts, Failure failure, Duration delay) {
    retriesWithin(policy, facts, failure, delay, delay);
  }

  static void retriesWithin(
      RetryPolicy policy, Facts facts, Failure failure, Duration earliest, Duration latest) {
    assertThat(policy.outlook(facts, failure))
        .isInstanceOfSatisfying(
            Outlook.Window.class,
            window -> {
              assertThat(window.earliest()).isEqualTo(earliest);
              assertThat(window.latest()).isEqualTo(latest);
            });
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < DRAWS; i++) {
      assertThat(policy.decide(facts, failure, random))
          .isInstanceOfSatisfying(
              Decision.Retry.class,
              retry -> {
                assertThat(retry.delay()).isBetween(earliest, latest);
                assertThat(retry.attempt()).isEqualTo(facts.attempt() + 1);
              });
    }
  }
}
