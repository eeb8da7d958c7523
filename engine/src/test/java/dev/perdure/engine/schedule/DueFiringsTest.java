// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class DueFiringsTest {

  private static final Instant ANCHOR = Instant.parse("2026-11-18T00:00:00Z");

  private final FiringTimes daily = Trigger.cron("0 8 * * *", ZoneId.of("UTC")).firingTimes(ANCHOR);
  private final Instant planned = daily.next(ANCHOR);

  @Test
  void nothing_is_due_before_the_planned_instant() {
    assertThat(daily.due(planned, planned.minusNanos(1))).isEmpty();
  }

  @Test
  void one_firing_is_due_at_the_planned_instant_and_until_the_next() {
    DueFirings one = new DueFirings(planned, planned);

    assertThat(one.several()).isFalse();
    assertThat(daily.due(planned, planned)).contains(one);
    assertThat(daily.due(planned, planned.plus(Duration.ofHours(23)))).contains(one);
  }

  @Test
  void after_an_outage_the_latest_missed_firing_is_known() {
    DueFirings due = daily.due(planned, planned.plus(Duration.ofHours(77))).orElseThrow();

    assertThat(due.several()).isTrue();
    assertThat(due.earliest()).isEqualTo(planned);
    assertThat(due.latest()).isEqualTo(planned.plus(Duration.ofDays(3)));
  }

  @Test
  void an_outage_of_years_costs_no_more_than_one_firing() {
    FiringTimes everySecond = Trigger.every(Duration.ofSeconds(1)).firingTimes(ANCHOR);
    Instant first = everySecond.next(ANCHOR);
    Instant now = ANCHOR.plus(Duration.ofDays(5_000)).plusMillis(400);

    assertThat(everySecond.due(first, now))
        .contains(new DueFirings(first, ANCHOR.plus(Duration.ofDays(5_000))));
  }

  @Test
  void a_planned_instant_that_is_no_firing_is_due_alone() {
    Instant moved = planned.plusSeconds(30);

    assertThat(daily.due(moved, moved.plusSeconds(1))).contains(new DueFirings(moved, moved));
  }

  @Test
  void the_latest_is_never_before_the_earliest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DueFirings(planned, planned.minusMillis(1)));
  }
}
