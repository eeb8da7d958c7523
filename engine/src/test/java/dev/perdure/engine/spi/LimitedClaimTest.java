// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.LimitTables.LaterTasks;
import dev.perdure.engine.spi.LimitTables.LimitRow;
import dev.perdure.engine.spi.LimitTables.LimitUpdate;
import dev.perdure.engine.spi.LimitTables.OpenLimit;
import dev.perdure.engine.spi.LimitTables.WaitingTask;
import dev.perdure.engine.task.LimitRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitedClaimTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant SINCE = NOW.minusSeconds(5);
  private static final Instant LATER = NOW.plusSeconds(30);
  private static final LimitRule TWO = LimitRule.concurrency(2);
  private static final LimitRule RATE = LimitRule.rate(10, Duration.ofSeconds(1), 1);
  private static final LimitRule CAPACITY = LimitRule.capacity(100);

  private final FakeLimitTables tables = new FakeLimitTables(NOW);
  private int tasks;

  private static LimitRow row(String key, LimitRule rule, long used) {
    return new LimitRow(key, "sync", rule, used, null, null);
  }

  private WaitingTask task(String... limits) {
    return new WaitingTask(new UUID(0, tasks++), "sync", "sync", SINCE, SINCE, List.of(limits), 0);
  }

  private WaitingTask withItems(long items, String... limits) {
    return new WaitingTask(
        new UUID(0, tasks++), "sync", "sync", SINCE, SINCE, List.of(limits), items);
  }

  private void open(LimitRow row, @Nullable Instant nextDue, WaitingTask... first) {
    tables.open.add(new OpenLimit(row, SINCE, List.of(first)));
    tables.later.put(row.key(), new LaterTasks(nextDue, false, false));
  }

  /** Claims and returns whether something is left that could start now. */
  private boolean claim(int limit) {
    return new LimitedClaim<>(tables, List.of(new QueueCapacity("sync", limit)), limit)
        .run()
        .more();
  }

  private LimitUpdate update(String key) {
    return requireNonNull(tables.updates.get(key), key);
  }

  private @Nullable Instant lookAt(String key) {
    return update(key).limit().lookAt();
  }

  @Test
  void nothing_is_written_when_no_limit_is_open() {
    assertThat(claim(10)).isFalse();
    assertThat(tables.updates).isEmpty();
    tables.skipped = true;
    assertThat(claim(10)).as("another claim has locked what is open").isTrue();
  }

  @Test
  void a_limit_that_becomes_full_waits_for_an_event() {
    WaitingTask one = task("a");
    WaitingTask two = task("a");
    open(row("a", TWO, 0), LATER, one, two);

    assertThat(claim(10)).isFalse();
    assertThat(tables.chosen).containsExactly(one.id(), two.id());
    assertThat(update("a").chosen()).isEqualTo(2);
    assertThat(lookAt("a")).isNull();
  }

  @Test
  void a_limit_with_room_is_looked_at_when_its_next_task_is_due() {
    open(row("a", TWO, 0), LATER, task("a"));
    claim(10);

    assertThat(lookAt("a")).isEqualTo(LATER);
  }

  @Test
  void a_limit_without_tasks_waits_for_an_event() {
    open(row("a", TWO, 0), null);
    claim(10);

    assertThat(lookAt("a")).isNull();
  }

  @Test
  void limits_take_turns_within_a_claim() {
    WaitingTask a1 = task("a");
    WaitingTask a2 = task("a");
    WaitingTask b1 = task("b");
    open(row("a", TWO, 0), null, a1, a2);
    open(row("b", TWO, 0), null, b1, task("b"));

    assertThat(claim(3)).isTrue();
    assertThat(tables.chosen).containsExactly(a1.id(), b1.id(), a2.id());
  }

  @Test
  void a_limit_that_was_not_served_keeps_its_turn_and_a_served_one_goes_to_the_end() {
    open(row("a", LimitRule.concurrency(9), 0), null, task("a"), task("a"));
    open(row("b", LimitRule.concurrency(9), 0), null, task("b"));

    assertThat(claim(1)).isTrue();
    assertThat(lookAt("a")).isEqualTo(NOW);
    assertThat(lookAt("b")).isEqualTo(SINCE);
  }

  @Test
  void tasks_of_a_queue_without_free_slots_stay_and_do_not_block_others() {
    WaitingTask other =
        new WaitingTask(new UUID(1, 1), "sync", "other", SINCE, SINCE, List.of("a"), 0);
    WaitingTask one = task("a");
    open(row("a", LimitRule.concurrency(9), 0), null, other, one);

    assertThat(claim(5)).isTrue();
    assertThat(tables.chosen).containsExactly(one.id());
    assertThat(lookAt("a")).isEqualTo(NOW);
  }

  @Test
  void a_task_needs_room_in_all_its_limits_and_counts_in_all_of_them() {
    WaitingTask one = task("a", "b");
    open(row("a", TWO, 0), null, one);
    tables.others.put("b", row("b", TWO, 1));
    claim(10);

    assertThat(tables.chosen).containsExactly(one.id());
    assertThat(update("a").chosen()).isOne();
    assertThat(update("b").chosen()).isOne();
    assertThat(update("b").limit().used()).as("before the claim").isOne();
  }

  @Test
  void a_task_that_another_limit_holds_back_moves_there_and_lets_others_pass() {
    WaitingTask blocked = task("a", "b");
    WaitingTask free = task("a");
    open(row("a", TWO, 0), null, blocked, free);
    WaitingTask behind = task("a");
    tables.behind.put("a", List.of(free, behind));
    tables.others.put("b", row("b", TWO, 2));

    assertThat(claim(10)).as("there is more").isFalse();
    assertThat(tables.moved).containsOnlyKeys(blocked.id()).containsValue("b");
    assertThat(tables.chosen).containsExactly(free.id(), behind.id());
    assertThat(lookAt("b")).as("an end will say").isNull();
  }

  @Test
  void a_limit_that_another_transaction_has_locked_means_not_now() {
    WaitingTask unknown = task("a", "locked");
    WaitingTask free = task("a");
    open(row("a", TWO, 0), null, unknown, free);

    assertThat(claim(10)).isTrue();
    assertThat(tables.chosen).containsExactly(free.id());
    assertThat(tables.moved).isEmpty();
    assertThat(tables.updates).containsOnlyKeys("a");
    assertThat(lookAt("a")).as("looked at again soon").isEqualTo(NOW);
  }

  @Test
  void two_open_limits_share_the_tasks_that_have_both() {
    WaitingTask inA = task("a", "b");
    WaitingTask inB = task("b", "a");
    open(row("a", LimitRule.concurrency(1), 0), null, inA);
    open(row("b", TWO, 0), null, inB);
    claim(10);

    assertThat(tables.chosen).containsExactly(inA.id());
    assertThat(tables.moved).containsOnlyKeys(inB.id()).containsValue("a");
    assertThat(update("a").chosen()).isOne();
    assertThat(update("b").chosen()).isOne();
  }

  @Test
  void a_rate_is_looked_at_when_its_next_start_is_on_time() {
    open(row("a", RATE, 0), null, task("a"), task("a"));

    assertThat(claim(10)).isFalse();
    assertThat(tables.chosen).hasSize(1);
    assertThat(update("a").limit().nextStart()).isEqualTo(NOW.plusMillis(100));
    assertThat(lookAt("a")).isEqualTo(NOW.plusMillis(100));
  }

  @Test
  void a_rate_whose_next_task_is_due_later_is_looked_at_then() {
    open(row("a", RATE, 0), LATER, task("a"));
    claim(10);

    assertThat(lookAt("a")).isEqualTo(LATER);
  }

  @Test
  void a_task_that_moves_to_a_rate_is_looked_at_when_the_rate_allows_it() {
    Instant next = NOW.plusMillis(70);
    open(row("a", TWO, 0), null, task("a", "rate"));
    tables.others.put("rate", new LimitRow("rate", "sync", RATE, 0, next, LATER));
    claim(10);

    assertThat(tables.moved).containsValue("rate");
    assertThat(lookAt("rate")).isEqualTo(next);
    assertThat(update("rate").limit().nextStart()).isEqualTo(next);
  }

  @Test
  void a_full_capacity_is_looked_at_every_second() {
    tables.work.put("a", 90L);
    open(row("a", CAPACITY, 1), LATER, withItems(20, "a"));

    assertThat(claim(10)).isFalse();
    assertThat(tables.chosen).isEmpty();
    assertThat(lookAt("a")).isEqualTo(NOW.plusSeconds(1));
  }

  @Test
  void a_task_that_moves_to_a_capacity_is_looked_at_every_second() {
    tables.work.put("full", 90L);
    open(row("a", TWO, 0), null, withItems(20, "a", "full"));
    tables.others.put("full", row("full", CAPACITY, 1));
    claim(10);

    assertThat(tables.moved).containsValue("full");
    assertThat(lookAt("full")).isEqualTo(NOW.plusSeconds(1));
  }

  @Test
  void smaller_tasks_that_found_no_slot_are_looked_at_at_once() {
    tables.work.put("a", 50L);
    WaitingTask small = withItems(1, "a");
    open(row("a", CAPACITY, 1), null, withItems(60, "a"), small, withItems(1, "a"));

    assertThat(claim(1)).isTrue();
    assertThat(tables.chosen).containsExactly(small.id());
    assertThat(lookAt("a")).isEqualTo(NOW);
    assertThat(tables.maxTasks).as("enough to pass a few large ones").isGreaterThan(1);
  }

  private void openShared(LimitRule rule, long used, LaterTasks later, WaitingTask... first) {
    LimitRow shared = new LimitRow("a", LimitTables.ANY_QUEUE, rule, used, null, null);
    tables.open.add(new OpenLimit(shared, SINCE, List.of(first)));
    tables.later.put(shared.key(), later);
  }

  @Test
  void a_limit_of_several_queues_is_looked_at_again_at_once_while_others_are_due() {
    openShared(LimitRule.concurrency(9), 0, new LaterTasks(LATER, false, true), task("a"));
    claim(10);

    assertThat(lookAt("a")).isEqualTo(NOW);
  }

  @Test
  void a_limit_of_several_queues_is_looked_at_when_the_next_task_of_any_of_them_is_due() {
    openShared(LimitRule.concurrency(9), 0, new LaterTasks(LATER, false, false), task("a"));
    claim(10);

    assertThat(lookAt("a")).isEqualTo(LATER);
  }

  @Test
  void a_full_limit_of_several_queues_is_looked_at_every_second_while_others_are_due() {
    openShared(TWO, 1, new LaterTasks(LATER, false, true), task("a"));
    claim(10);

    assertThat(lookAt("a")).isEqualTo(NOW.plusSeconds(1));
  }

  @Test
  void a_full_limit_of_several_queues_is_not_looked_at_before_a_task_is_due() {
    openShared(TWO, 1, new LaterTasks(LATER, false, false), task("a"));
    claim(10);

    assertThat(lookAt("a")).isEqualTo(LATER);
  }

  @Test
  void a_limit_with_priorities_is_looked_at_within_a_second() {
    tables.open.add(new OpenLimit(row("a", TWO, 0), SINCE, List.of(task("a"))));
    tables.later.put(row("a", TWO, 0).key(), new LaterTasks(LATER, true, false));
    claim(10);

    assertThat(lookAt("a")).isEqualTo(NOW.plusSeconds(1));
  }

  @Test
  void a_limit_with_a_task_that_another_transaction_has_locked_is_looked_at_within_a_second() {
    tables.open.add(new OpenLimit(row("a", TWO, 0), SINCE, List.of(task("a"))));
    tables.later.put(row("a", TWO, 0).key(), new LaterTasks(LATER, false, true));
    claim(10);

    assertThat(lookAt("a")).isEqualTo(NOW.plusSeconds(1));
  }
}
