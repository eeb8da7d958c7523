// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;

/** Assertions about decisions. They check the preview and several random draws. */
final class DecisionAssertions {

  private static final int DRAWS = 20;

  private DecisionAssertions() {}

  static void givesUp(
      RetryPolicy policy, DecisionContext context, Failure failure, GiveUpReason reason) {
    assertThat(policy.preview(context, failure)).isEqualTo(new Decision.GiveUp(reason));
    assertThat(policy.decide(context, failure, new SplittableRandom(1)))
        .isEqualTo(new Decision.GiveUp(reason));
  }

  static void retriesAfter(
      RetryPolicy policy, DecisionContext context, Failure failure, Duration delay) {
    retriesWithin(policy, context, failure, delay, delay);
  }

  static void retriesWithin(
      RetryPolicy policy,
      DecisionContext context,
      Failure failure,
      Duration earliest,
      Duration latest) {
    assertThat(policy.preview(context, failure))
        .isInstanceOfSatisfying(
            DecisionPreview.DelayBounds.class,
            bounds -> {
              assertThat(bounds.earliest()).isEqualTo(earliest);
              assertThat(bounds.latest()).isEqualTo(latest);
            });
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < DRAWS; i++) {
      assertThat(policy.decide(context, failure, random))
          .isInstanceOfSatisfying(
              Decision.Retry.class,
              retry -> {
                assertThat(retry.delay()).isBetween(earliest, latest);
                assertThat(retry.attempt()).isEqualTo(context.attempt() + 1);
              });
    }
  }
}
