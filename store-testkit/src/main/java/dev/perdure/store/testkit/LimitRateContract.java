// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.ClaimResult;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Limits on how many attempts start in a period. */
abstract class LimitRateContract extends LimitContract {

  private static final Limit TEN_PER_SECOND = Limit.rate(10, SECOND);
  private static final Duration DISTANCE = Duration.ofMillis(100);

  LimitRateContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void starts_keep_their_distance_and_claims_say_when_the_next_one_is() {
    add(5, limited(TEN_PER_SECOND));
    assertThat(claimOnce(10, "a")).hasSize(1);

    assertNextDue(DISTANCE);
    clock.advance(DISTANCE.minus(MILLI));
    assertNextDue(MILLI);
    clock.advance(MILLI);
    assertThat(claimOnce(10, "a")).hasSize(1);
    assertNextDue(DISTANCE);
  }

  @Test
  void a_quiet_time_allows_no_more_starts_at_once() {
    add(5, limited(TEN_PER_SECOND));
    clock.advance(Duration.ofMinutes(1));

    assertThat(claimAll("a")).hasSize(1);
    clock.advance(DISTANCE);
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void a_claim_that_comes_late_does_not_shorten_the_next_distance() {
    add(5, limited(TEN_PER_SECOND));
    assertThat(claimAll("a")).hasSize(1);
    clock.advance(DISTANCE.plusMillis(90));
    assertThat(claimAll("a")).hasSize(1);

    assertNextDue(DISTANCE);
  }

  @Test
  void a_burst_may_start_at_once_after_a_quiet_time() {
    add(20, limited(TEN_PER_SECOND.burst(3)));

    assertThat(claimAll("a")).hasSize(3);
    clock.advance(DISTANCE);
    assertThat(claimAll("a")).hasSize(1);
    clock.advance(DISTANCE.multipliedBy(2));
    assertThat(claimAll("a")).hasSize(2);
    clock.advance(Duration.ofMinutes(1));
    assertThat(claimAll("a")).hasSize(3);
  }

  @Test
  void the_end_of_a_task_allows_no_further_start() {
    add(5, limited(TEN_PER_SECOND));
    UUID first = claimAll("a").getFirst();
    succeedRunning(first);

    assertThat(claimAll("a")).isEmpty();
  }

  @Test
  void tasks_that_still_run_do_not_keep_others_from_starting() {
    add(12, limited(TEN_PER_SECOND));
    for (int i = 0; i < 12; i++) {
      assertThat(claimAll("a")).hasSize(1);
      clock.advance(DISTANCE);
    }
  }

  @Test
  void every_attempt_counts_as_a_start() {
    UUID id = add(limited(Limit.rate(1, Duration.ofHours(1))));
    settle(running("a"), FAILED);
    clock.advance(TestTask.DELAY);
    assertNextDue(Duration.ofHours(1).minus(TestTask.DELAY));
    clock.advance(Duration.ofHours(1).minus(TestTask.DELAY));
    settle(running("a"), new Outcome.HandedBack());

    assertNextDue(Duration.ofHours(1));
    assertThat(find(id).epoch()).isEqualTo(2);
  }

  @Test
  void each_value_has_its_own_rate() {
    add(3, ofTenant("north", TEN_PER_SECOND));
    add(3, ofTenant("south", TEN_PER_SECOND));

    assertThat(claimAll("a")).hasSize(2);
    clock.advance(DISTANCE);
    assertThat(claimAll("a")).hasSize(2);
  }

  @Test
  void a_rate_and_a_concurrency_limit_of_the_same_kind_are_apart() {
    add(limited(Limit.rate(1, Duration.ofHours(1))));
    add(limited(Limit.concurrency(1)));

    assertThat(claimAll("a")).hasSize(2);
  }

  @Test
  void the_task_that_was_due_first_starts_first() {
    UUID second = add(limited(TEN_PER_SECOND));
    UUID first = add(limited(TEN_PER_SECOND).withPriority(5));

    assertThat(claimAll("a")).containsExactly(first);
    clock.advance(DISTANCE);
    assertThat(claimAll("a")).containsExactly(second);
  }

  @Test
  void a_future_task_starts_when_it_is_due_and_the_rate_allows_it() {
    UUID later = add(limited(Limit.rate(1, SECOND)), DueTime.in(Duration.ofSeconds(10)));
    assertNextDue(Duration.ofSeconds(10));
    clock.advance(Duration.ofMillis(9_500));
    UUID now = add(limited(Limit.rate(1, SECOND)));
    assertThat(claimAll("a")).containsExactly(now);

    clock.advance(Duration.ofMillis(600));
    assertThat(claimAll("a")).as("due, but too close to the last start").isEmpty();
    clock.advance(Duration.ofMillis(400));
    assertThat(claimAll("a")).containsExactly(later);
  }

  @Test
  void a_rate_that_a_submission_raises_allows_starts_after_the_new_distance() {
    add(limited(Limit.rate(1, Duration.ofDays(1))));
    assertThat(claimAll("a")).hasSize(1);
    add(3, limited(TEN_PER_SECOND));
    assertNextDue(DISTANCE);

    clock.advance(DISTANCE.minus(MILLI));
    assertNextDue(MILLI);
    clock.advance(MILLI);
    assertThat(claimAll("a")).hasSize(1);
    assertNextDue(DISTANCE);
  }

  @Test
  void no_window_of_the_period_has_more_starts_than_the_rate() {
    int max = 7;
    List<Instant> starts = randomRun(Limit.rate(max, SECOND));

    assertThat(starts).hasSizeGreaterThan(7 * 20 / 2);
    assertWindows(starts, max);
  }

  @Test
  void no_window_of_the_period_has_more_starts_than_the_rate_and_its_burst() {
    int max = 7;
    int burst = 4;
    List<Instant> starts = randomRun(Limit.rate(max, SECOND).burst(burst));

    assertThat(starts).hasSizeGreaterThan(7 * 20 / 2);
    assertWindows(starts, max + burst - 1);
  }

  /** Claims at random instants for about 20 seconds and returns when tasks started. */
  private List<Instant> randomRun(Limit limit) {
    SplittableRandom random = new SplittableRandom(7);
    Instant end = clock.instant().plusSeconds(20);
    List<Instant> starts = new ArrayList<>();
    add(200, limited(limit));
    while (clock.instant().isBefore(end)) {
      boolean pause = random.nextInt(200) == 0;
      clock.advance(Duration.ofMillis(random.nextInt(1, pause ? 2_000 : 60)));
      for (UUID id : claimOnce(random.nextInt(1, 6), "a")) {
        starts.add(clock.instant());
        if (random.nextBoolean()) {
          settle(find(id), random.nextBoolean() ? SUCCEEDED : new Outcome.HandedBack());
        }
      }
    }
    return starts;
  }

  private static void assertWindows(List<Instant> starts, int max) {
    for (int i = max; i < starts.size(); i++) {
      assertThat(Duration.between(starts.get(i - max), starts.get(i)))
          .as("%d starts from the %dth", max + 1, i - max)
          .isGreaterThanOrEqualTo(SECOND);
    }
  }

  /** Otherwise a rate would run at the pace of the polls. */
  @Test
  void a_task_with_a_priority_does_not_hide_when_a_rate_allows_the_next_start() {
    add(3, limited(Limit.rate(10, SECOND)));
    submit(shard, List.of(TestTask.retrying("a").withPriority(1)), DueTime.in(Duration.ofDays(1)));
    assertThat(claimAll("a")).hasSize(1);

    ClaimResult result = claim(10, "a");
    assertThat(result.leases()).isEmpty();
    assertThat(result.nextDue()).isEqualTo(Duration.ofMillis(100));
  }
}
