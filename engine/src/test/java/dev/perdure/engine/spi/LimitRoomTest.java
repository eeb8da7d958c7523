// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.LimitTables.WaitingTask;
import dev.perdure.engine.task.LimitRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitRoomTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static LimitRoom room(LimitRule rule, long used, long work) {
    return new LimitRoom(new LimitRow("key", "sync", rule, used, null, null), work, NOW);
  }

  private static LimitRoom rate(LimitRule rule, @Nullable Instant nextStart) {
    return new LimitRoom(new LimitRow("key", "sync", rule, 0, nextStart, null), 0, NOW);
  }

  private static WaitingTask task(long work) {
    return task(work, NOW);
  }

  private static WaitingTask task(long work, Instant due) {
    return new WaitingTask(new UUID(0, work), "sync", "sync", due, due, List.of("key"), work);
  }

  /** Chooses tasks until the room allows no more. */
  private static int fill(LimitRoom room, WaitingTask task) {
    while (room.chosen() < 1_000 && room.allows(task)) {
      room.choose(task);
    }
    return room.chosen();
  }

  @Test
  void concurrency_allows_what_is_not_in_use() {
    assertThat(fill(room(LimitRule.concurrency(5), 2, 0), task(0))).isEqualTo(3);
    assertThat(fill(room(LimitRule.concurrency(5), 5, 0), task(0))).isZero();
    assertThat(fill(room(LimitRule.concurrency(5), 9, 0), task(0))).isZero();
    assertThat(room(LimitRule.concurrency(5), 9, 0).isFull()).isTrue();
    assertThat(room(LimitRule.concurrency(5), 5, 0).letsPass(task(0))).isFalse();
  }

  @Test
  void capacity_counts_the_items_of_a_task_before_it_starts() {
    LimitRoom room = room(LimitRule.capacity(100), 1, 60);

    assertThat(room.allows(task(41))).isFalse();
    assertThat(room.allows(task(40))).isTrue();
    room.choose(task(30));
    assertThat(room.allows(task(11))).isFalse();
    assertThat(room.isFull()).isFalse();
    room.choose(task(10));
    assertThat(room.isFull()).isTrue();
  }

  @Test
  void a_task_larger_than_the_capacity_is_allowed_alone() {
    LimitRoom room = room(LimitRule.capacity(100), 0, 0);

    assertThat(room.allows(task(Long.MAX_VALUE))).isTrue();
    room.choose(task(Long.MAX_VALUE));
    assertThat(room.allows(task(0))).isFalse();
    assertThat(room(LimitRule.capacity(100), 1, 0).allows(task(101))).isFalse();
  }

  @Test
  void the_sum_of_items_does_not_overflow() {
    LimitRoom room = room(LimitRule.capacity(100), 0, Long.MAX_VALUE - 1);
    room.choose(task(Long.MAX_VALUE));

    assertThat(room.allows(task(1))).isFalse();
  }

  @Test
  void smaller_tasks_pass_a_larger_one_until_it_has_waited_for_a_minute() {
    Instant minuteAgo = NOW.minus(LimitRoom.MAX_PASSED);
    LimitRoom room = room(LimitRule.capacity(100), 1, 60);

    assertThat(room.letsPass(task(50, minuteAgo.plusMillis(1)))).isTrue();
    assertThat(room.allows(task(40))).isTrue();
    assertThat(room.letsPass(task(50, minuteAgo))).isFalse();
    assertThat(room.allows(task(40))).as("nothing passes it from now on").isFalse();
  }

  @Test
  void nothing_passes_when_there_is_no_room_at_all() {
    assertThat(room(LimitRule.capacity(100), 1, 100).letsPass(task(1))).isFalse();
  }

  @Test
  void a_rate_allows_one_start_and_the_next_after_its_distance() {
    LimitRoom room = rate(LimitRule.rate(10, SECOND, 1), null);

    assertThat(fill(room, task(0))).isOne();
    assertThat(room.nextStart()).isEqualTo(NOW.plusMillis(100));
    assertThat(room.earliestStart()).isEqualTo(NOW.plusMillis(100));
    assertThat(room.isFull()).isTrue();
  }

  @Test
  void a_rate_allows_the_next_start_exactly_when_it_is_on_time() {
    LimitRule rule = LimitRule.rate(10, SECOND, 1);

    assertThat(rate(rule, NOW.plusNanos(1_000)).allows(task(0))).isFalse();
    assertThat(rate(rule, NOW).allows(task(0))).isTrue();
    LimitRoom late = rate(rule, NOW.minusSeconds(100));
    assertThat(fill(late, task(0))).as("what was missed is not made up for").isOne();
    assertThat(late.nextStart()).isEqualTo(NOW.plusMillis(100));
  }

  @Test
  void a_burst_may_come_early() {
    LimitRule rule = LimitRule.rate(10, SECOND, 3);

    assertThat(fill(rate(rule, null), task(0))).isEqualTo(3);
    assertThat(fill(rate(rule, NOW.plusMillis(100)), task(0))).isEqualTo(2);
    assertThat(fill(rate(rule, NOW.plusMillis(200)), task(0))).isEqualTo(1);
    assertThat(fill(rate(rule, NOW.plusMillis(201)), task(0))).isZero();
  }

  @Test
  void distances_are_rounded_up_so_that_there_is_never_a_start_too_many() {
    LimitRoom room = rate(LimitRule.rate(3, SECOND, 1), null);
    room.choose(task(0));

    assertThat(room.nextStart()).isEqualTo(NOW.plusNanos(333_334_000));
    LimitRoom fast = rate(LimitRule.rate(LimitRule.MAX, Duration.ofMillis(1), 1), null);
    fast.choose(task(0));
    assertThat(fast.nextStart()).isEqualTo(NOW.plusNanos(1_000));
  }
}
