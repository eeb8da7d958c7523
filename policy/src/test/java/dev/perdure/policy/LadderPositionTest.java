// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.Backoff.forever;
import static dev.perdure.policy.Backoff.step;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LadderPositionTest {

  private static RetryPolicyBuilder.Plain threeSteps() {
    return RetryPolicy.ladder(step(5, ofMinutes(5)), step(2, ofMinutes(10)), forever(ofHours(1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | attempt 1/5, step 1/3",
        "3 | attempt 3/5, step 1/3",
        "5 | attempt 5/5, step 1/3",
        "6 | attempt 1/2, step 2/3",
        "7 | attempt 2/2, step 2/3",
        "8 | attempt 1/∞, step 3/3",
        "1000000000007 | attempt 1000000000000/∞, step 3/3"
      })
  void counts_the_retries_of_each_step(long retry, String badge) {
    assertThat(LadderPosition.of(threeSteps().build(), retry).text()).isEqualTo(badge);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3 | 2 | attempt 2/3, step 1/3",
        "6 | 6 | attempt 1/1, step 2/3",
        "10 | 9 | attempt 2/3, step 3/3"
      })
  void counts_only_the_retries_that_the_maximum_allows(int max, long retry, String badge) {
    assertThat(LadderPosition.of(threeSteps().maxRetries(max).build(), retry).text())
        .isEqualTo(badge);
  }

  @Test
  void a_policy_without_a_ladder_has_one_step() {
    RetryPolicyBuilder.Plain fixed = RetryPolicy.fixed(ofMinutes(1));

    LadderPosition position = LadderPosition.of(fixed.build(), 2);

    assertThat(position).isEqualTo(new LadderPosition(1, 1, 2, 3));
    assertThat(position.text()).isEqualTo("attempt 2/3");
    assertThat(LadderPosition.of(fixed.unlimitedRetries().build(), 2).text())
        .isEqualTo("attempt 2/∞");
    assertThat(LadderPosition.of(RetryPolicy.none(), 2).text()).isEqualTo("attempt 2");
  }

  @Test
  void a_retry_past_the_end_belongs_to_the_last_step() {
    RetryPolicy policy = RetryPolicy.ladder(step(2, ofMinutes(5)), step(1, ofHours(1))).build();

    assertThat(LadderPosition.of(policy, 5).text()).isEqualTo("attempt 3, step 2/2");
  }

  @Test
  void an_override_has_its_own_ladder() {
    Failure failure = Failure.http(429);
    PolicyOverride override =
        PolicyOverride.on(FailureMatcher.status(429))
            .withBackoff(Backoff.ladder(step(1, ofHours(1)), step(4, ofHours(2))));
    RetryPolicy policy = threeSteps().override(override).build();

    assertThat(LadderPosition.of(policy, failure, 3).text()).isEqualTo("attempt 2/4, step 2/2");
    assertThat(LadderPosition.of(policy, 3).text()).isEqualTo("attempt 3/5, step 1/3");
  }

  @Test
  void the_first_attempt_is_not_a_retry() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LadderPosition.of(threeSteps().build(), 0))
        .withMessage("retry must be 1 or more, not 0");
  }
}
