// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;

/** What a test says about decisions: the outlook and a few draws must agree on it. */
final class DecisionAssertions {

  private static final int DRAWS = 20;

  private DecisionAssertions() {}

  static void givesUp(
      RetryPolicy policy, DecisionContext decisionContext, Failure failure, GiveUpReason reason) {
    assertThat(policy.preview(decisionContext, failure)).isEqualTo(new Decision.GiveUp(reason));
    assertThat(policy.decide(decisionContext, failure, new SplittableRandom(1)))
        .isEqualTo(new Decision.GiveUp(reason));
  }

  static void retriesAfter(
      RetryPolicy policy, DecisionContext decisionContext, Failure failure, Duration delay) {
    retriesWithin(policy, decisionContext, failure, delay, delay);
  }

  static void retriesWithin(
      RetryPolicy policy,
      DecisionContext decisionContext,
      Failure failure,
      Duration earliest,
      Duration latest) {
    assertThat(policy.preview(decisionContext, failure))
        .isInstanceOfSatisfying(
            DecisionPreview.DelayBounds.class,
            delayBounds -> {
              assertThat(delayBounds.earliest()).isEqualTo(earliest);
              assertThat(delayBounds.latest()).isEqualTo(latest);
            });
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < DRAWS; i++) {
      assertThat(policy.decide(decisionContext, failure, random))
          .isInstanceOfSatisfying(
              Decision.Retry.class,
              retry -> {
                assertThat(retry.delay()).isBetween(earliest, latest);
                assertThat(retry.attempt()).isEqualTo(decisionContext.attempt() + 1);
              });
    }
  }
}
