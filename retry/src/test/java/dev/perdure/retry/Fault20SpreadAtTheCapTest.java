// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.testing.FakeTimeProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults of earlier systems: jitter disappears at the cap, delays overflow after 54 retries, and
 * delays become negative.
 */
class Fault20SpreadAtTheCapTest {

  private static final Duration CAP = ofSeconds(60);

  private final FakeTimeProvider time = FakeTimeProvider.startingAt(Instant.EPOCH);

  private List<Duration> delays(RetryPolicy policy, long seed) {
    Retry retry =
        Retry.builder(policy).timeProvider(time).random(new SplittableRandom(seed)).build();
    assertThat(
            catchThrowable(
                () ->
                    retry.run(
                        () -> {
                          throw new IOException("still down");
                        })))
        .isInstanceOf(IOException.class);
    return time.sleeps();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void delays_at_the_cap_stay_spread(long seed) {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .maxDelay(CAP)
            .maxRetries(1_000)
            .jitter(Jitter.spread(0.5))
            .build();
    List<Duration> atTheCap = delays(policy, seed).subList(10, 1_000);
    assertThat(atTheCap)
        .as("seed %d", seed)
        .allMatch(delay -> !delay.isNegative() && delay.compareTo(CAP) <= 0);
    assertThat(atTheCap.stream().distinct().count()).as("seed %d", seed).isGreaterThan(900);
    assertThat(atTheCap).as("seed %d", seed).filteredOn(CAP::equals).hasSizeLessThan(5);
  }

  /**
   * Jitter as large as the delay itself, for the first delays and for delays that would overflow a
   * long.
   */
  @ParameterizedTest
  @MethodSource("jitters")
  void no_delay_is_negative(Jitter.Independent jitter) {
    RetryPolicy policy =
        RetryPolicy.exponential(ofMillis(1)).maxRetries(1_000).jitter(jitter).build();
    assertThat(delays(policy, 3)).hasSizeGreaterThan(900).noneMatch(Duration::isNegative);
  }

  static Stream<Jitter> jitters() {
    return Stream.of(Jitter.spread(1), Jitter.full(), Jitter.equal());
  }

  @Test
  void decorrelated_delays_depend_on_the_previous_delay() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .maxDelay(CAP)
            .maxRetries(200)
            .jitter(Jitter.decorrelated())
            .build();
    List<Duration> delays = delays(policy, 7);
    for (int i = 1; i < delays.size(); i++) {
      assertThat(delays.get(i)).isLessThanOrEqualTo(delays.get(i - 1).multipliedBy(3));
    }
    assertThat(delays).anyMatch(delay -> delay.compareTo(ofSeconds(20)) > 0);
  }

  @Test
  void delays_never_shrink_after_many_retries() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .maxDelay(CAP)
            .maxRetries(5_000)
            .jitter(Jitter.none())
            .build();
    List<Duration> delays = delays(policy, 0);
    assertThat(delays).hasSize(5_000).isSorted();
    assertThat(delays.subList(6, 5_000)).containsOnly(CAP);
  }
}
