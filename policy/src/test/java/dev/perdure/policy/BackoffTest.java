// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static dev.perdure.policy.PolicyErrorAssertions.missing;
import static dev.perdure.policy.PolicyErrorAssertions.refuses;
import static dev.perdure.policy.PolicyErrorAssertions.refusesAt;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

  private static final Duration SECOND = ofSeconds(1);

  @Nested
  class SingleDelay {

    @Test
    void must_be_positive() {
      assertThat(Backoff.fixed(ofMillis(1)).delay()).isEqualTo(ofMillis(1));
      refuses(() -> Backoff.fixed(ZERO), "delay: must be more than 0, not 0s");
      refuses(() -> Backoff.fixed(ofMillis(-1)), "delay: must be more than 0, not PT-0.001S");
    }

    @Test
    void is_at_most_100_years() {
      assertThat(Backoff.fixed(ofDays(36_500)).delay()).isEqualTo(ofDays(36_500));
      refuses(() -> Backoff.fixed(ofDays(36_500).plusMillis(1)), "delay: must be at most 36500d");
    }

    @Test
    void is_whole_milliseconds() {
      refuses(
          () -> Backoff.fixed(ofNanos(1_500_000)),
          "delay: must be whole milliseconds, not PT0.0015S");
    }

    @Test
    void is_required() {
      refuses(() -> Backoff.fixed(missing()), "delay: is required");
    }

    @Test
    void is_checked_in_every_backoff() {
      refusesAt(() -> Backoff.linear(ZERO, ZERO), "initial", "increment");
      refusesAt(() -> Backoff.linear(SECOND, ZERO), "increment");
      refusesAt(() -> Backoff.exponential(ZERO, 2), "initial");
      refusesAt(() -> Backoff.schedule(SECOND, ZERO, SECOND, ZERO), "delays[1]", "delays[3]");
      refusesAt(() -> Backoff.step(1, ZERO), "delay");
      refusesAt(() -> Backoff.forever(ZERO), "delay");
    }
  }

  @Nested
  class Multiplier {

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.0000001, 2, Double.MAX_VALUE})
    void can_be_one_or_more(double multiplier) {
      assertThat(Backoff.exponential(SECOND, multiplier).multiplier()).isEqualTo(multiplier);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.9999999, 0, -2, Double.NaN, Double.POSITIVE_INFINITY})
    void cannot_be_less_than_one_or_infinite(double multiplier) {
      refuses(
          () -> Backoff.exponential(SECOND, multiplier),
          "multiplier: must be a finite number of at least 1, not " + multiplier);
    }

    @Test
    void is_reported_together_with_the_delay() {
      refusesAt(() -> Backoff.exponential(ZERO, 0), "initial", "multiplier");
    }
  }

  @Nested
  class Schedule {

    @Test
    void has_one_to_fifty_delays() {
      assertThat(new Backoff.Schedule(Collections.nCopies(50, SECOND)).delays()).hasSize(50);
      refuses(() -> Backoff.schedule(), "delays: needs at least one delay");
      refuses(
          () -> new Backoff.Schedule(Collections.nCopies(51, SECOND)),
          "delays: has 51 entries, at most 50 are allowed");
    }

    @Test
    void checks_only_the_first_fifty_delays() {
      List<Duration> invalid = new ArrayList<>(Collections.nCopies(49, SECOND));
      invalid.addAll(Collections.nCopies(10_000, ZERO));

      refusesAt(() -> new Backoff.Schedule(invalid), "delays", "delays[49]");
    }

    @Test
    void copies_its_list_of_delays() {
      List<Duration> delays = new ArrayList<>(List.of(SECOND));
      Backoff.Schedule schedule = new Backoff.Schedule(delays);

      delays.clear();

      assertThat(schedule.delays()).containsExactly(SECOND);
    }
  }

  @Nested
  class Ladder {

    @Test
    void has_one_to_fifty_steps() {
      Backoff.Step step = Backoff.step(1, SECOND);

      assertThat(new Backoff.Ladder(Collections.nCopies(50, step)).steps()).hasSize(50);
      refuses(() -> Backoff.ladder(), "steps: needs at least one step");
      refuses(
          () -> new Backoff.Ladder(Collections.nCopies(51, step)),
          "steps: has 51 entries, at most 50 are allowed");
    }

    @Test
    void only_the_last_step_can_be_endless() {
      Backoff.Step step = Backoff.step(1, SECOND);
      Backoff.Step forever = Backoff.forever(SECOND);

      assertThat(Backoff.ladder(step, forever).endless()).isTrue();
      assertThat(Backoff.ladder(forever).endless()).isTrue();
      assertThat(Backoff.ladder(step, step).endless()).isFalse();
      refuses(
          () -> Backoff.ladder(forever, step, forever, forever),
          "steps[0].count: 0 means forever and is allowed only in the last step",
          "steps[2].count: 0 means forever and is allowed only in the last step");
    }

    @Test
    void copies_its_list_of_steps() {
      List<Backoff.Step> steps = new ArrayList<>(List.of(Backoff.forever(SECOND)));
      Backoff.Ladder ladder = new Backoff.Ladder(steps);

      steps.clear();

      assertThat(ladder.steps()).containsExactly(new Backoff.Step(0, SECOND));
    }

    @Test
    void has_steps_of_one_or_more_retries() {
      assertThat(Backoff.step(1, SECOND)).isEqualTo(new Backoff.Step(1, SECOND));
      assertThat(Backoff.step(1, SECOND).endless()).isFalse();
      assertThat(Backoff.forever(SECOND).endless()).isTrue();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Backoff.step(0, SECOND))
          .withMessageContaining("forever(delay)");
      refuses(() -> Backoff.step(-1, SECOND), "count: must be 0 (forever) or more, not -1");
      refusesAt(() -> new Backoff.Step(-1, ZERO), "count", "delay");
      assertThatNullPointerException().isThrownBy(() -> Backoff.step(1, missing()));
    }
  }

  @Test
  void can_be_created_by_factories() {
    assertThat(Backoff.immediate()).isEqualTo(Backoff.Immediate.INSTANCE);
    assertThat(Backoff.fixed(SECOND)).isEqualTo(new Backoff.Fixed(SECOND));
    assertThat(Backoff.linear(SECOND, ofMillis(5)))
        .isEqualTo(new Backoff.Linear(SECOND, ofMillis(5)));
    assertThat(Backoff.exponential(SECOND, 3)).isEqualTo(new Backoff.Exponential(SECOND, 3));
    assertThat(Backoff.schedule(SECOND)).isEqualTo(new Backoff.Schedule(List.of(SECOND)));
    assertThat(Backoff.ladder(Backoff.forever(SECOND)).steps())
        .containsExactly(Backoff.forever(SECOND));
  }
}
