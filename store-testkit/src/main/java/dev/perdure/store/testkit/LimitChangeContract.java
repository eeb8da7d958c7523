// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Changes of the limits of tasks that are stored. */
abstract class LimitChangeContract extends LimitContract {

  private static final Outcome SUCCEEDED = new Outcome.Succeeded(null);

  LimitChangeContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private int change(UUID task, Limit... limits) {
    RulesChanged changed =
        store.limits().changeRules(new RulesChange(batch(task), "a", null, rules(limits)));
    assertThat(changed.last()).as("there are no more").isNull();
    return changed.tasks();
  }

  private static @Nullable String rules(Limit... limits) {
    return LimitRules.write(List.of(limits), "a");
  }

  private UUID batch(UUID task) {
    return find(task).batch();
  }

  @Test
  void a_raised_limit_lets_more_tasks_start() {
    List<UUID> ids = add(5, limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).hasSize(1);

    assertThat(change(ids.getFirst(), Limit.concurrency(3))).isEqualTo(5);
    assertThat(claimAll("a")).hasSize(2);
    assertThat(find(ids.getLast()).definition().rules()).isEqualTo(rules(Limit.concurrency(3)));
  }

  @Test
  void a_raised_rate_allows_starts_after_the_new_distance() {
    List<UUID> ids = add(5, limited(Limit.rate(1, Duration.ofDays(1))));
    assertThat(claimAll("a")).hasSize(1);
    change(ids.getFirst(), Limit.rate(10, SECOND));

    assertNextDue(Duration.ofMillis(100));
    clock.advance(Duration.ofMillis(100));
    assertThat(claimAll("a")).hasSize(1);
    assertNextDue(Duration.ofMillis(100));
  }

  @Test
  void a_lowered_limit_lets_running_tasks_finish() {
    List<UUID> ids = add(5, limited(Limit.concurrency(3)));
    List<UUID> running = claimAll("a");
    change(ids.getFirst(), Limit.concurrency(1));

    settle(find(running.get(0)), SUCCEEDED);
    settle(find(running.get(1)), SUCCEEDED);
    assertThat(claimAll("a")).as("one still runs").isEmpty();
    settle(find(running.get(2)), SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void tasks_without_limits_get_one() {
    List<UUID> ids = add(5, TestTask.retrying("a"));
    change(ids.getFirst(), Limit.concurrency(2));

    assertThat(find(ids.getFirst()).hold()).containsExactly(HoldReason.LIMITED);
    assertThat(claimAll("a")).hasSize(2);
  }

  @Test
  void tasks_lose_their_limits() {
    List<UUID> ids = add(5, limited(Limit.concurrency(1)));
    Task running = find(claimAll("a").getFirst());
    change(ids.getFirst());

    assertThat(claimAll("a")).hasSize(4);
    settle(running, SUCCEEDED);
    assertThat(store.limits().list("", 10).getFirst().used()).as("of the old limit").isZero();
  }

  @Test
  void a_running_task_counts_in_its_new_limits_and_no_longer_in_the_old_ones() {
    List<UUID> ids = add(3, limited(Limit.concurrency(1)));
    Task running = find(claimAll("a").getFirst());
    change(ids.getFirst(), Limit.concurrency(1).per("tenant"));

    assertThat(claimAll("a")).as("of the new limit, which the first task uses").isEmpty();
    assertUsed("concurrency:a[tenant=-]", 1);
    UUID other = add(limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).as("of the old limit").containsExactly(other);
    settle(running, SUCCEEDED);
    assertThat(claimAll("a")).as("of the new limit").hasSize(1);
    assertCountsAreRight();
  }

  @Test
  void a_running_task_without_limits_counts_in_those_that_it_gets() {
    List<UUID> ids = add(2, TestTask.retrying("a"));
    Task running = running("a");
    change(ids.getFirst(), Limit.concurrency(1));
    change(ids.getFirst(), Limit.concurrency(1));

    assertThat(claimAll("a")).isEmpty();
    assertUsed("concurrency:a[]", 1);
    settle(running, SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
    assertCountsAreRight();
  }

  @Test
  void the_retry_of_a_task_that_lost_its_limits_while_it_ran_does_not_wait_for_them() {
    UUID id = add(limited(Limit.concurrency(1), Limit.concurrency(1).per("tenant")));
    Task running = running("a");
    change(id);
    settle(running, FAILED);
    UUID other = add(limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).containsExactly(other);
    clock.advance(TestTask.DELAY);

    assertThat(find(id).hold()).isEmpty();
    assertThat(claimAll("a")).containsExactly(id);
    assertCountsAreRight();
  }

  @Test
  void the_retry_of_a_task_that_got_limits_while_it_ran_waits_for_them() {
    UUID id = add(TestTask.retrying("a"));
    Task running = running("a");
    change(id, Limit.concurrency(1));
    settle(running, FAILED);
    UUID other = add(limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).containsExactly(other);
    clock.advance(TestTask.DELAY);

    assertThat(find(id).hold()).containsExactly(HoldReason.LIMITED);
    assertThat(claimAll("a")).isEmpty();
    settle(find(other), SUCCEEDED);
    assertThat(claimAll("a")).containsExactly(id);
    assertCountsAreRight();
  }

  @Test
  void limits_that_hold_fewer_than_run_already_let_them_finish() {
    List<UUID> ids = add(4, TestTask.retrying("a"));
    List<Task> running = List.of(running("a"), running("a"), running("a"));
    change(ids.getFirst(), Limit.concurrency(2), Limit.rate(1, SECOND));

    assertUsed("concurrency:a[]", 3);
    settle(running.get(0), SUCCEEDED);
    assertThat(claimAll("a")).as("two still run").isEmpty();
    settle(running.get(1), SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
    assertCountsAreRight();
  }

  @Test
  void a_task_with_several_limits_finds_the_place_that_a_running_task_has_got() {
    Limit shared = Limit.concurrency(1);
    add(limited(shared));
    settle(running("a"), SUCCEEDED);
    DueTime soon = DueTime.in(SECOND);
    UUID waiting = add(limited(Limit.concurrency(1).per("tenant"), shared), soon);
    assertThat(claimAll("a")).as("not due").isEmpty();
    UUID id = add(TestTask.retrying("a").withQueue(QUEUE));
    Task running = running(QUEUE);
    change(id, shared);
    clock.advance(SECOND);

    assertThat(claimAll("a")).as("the other task of another queue uses the limit").isEmpty();
    settle(running, SUCCEEDED);
    assertThat(claimAll("a", QUEUE)).containsExactly(waiting);
    assertCountsAreRight();
  }

  @Test
  void a_new_run_has_the_rules_and_limits_that_its_task_got_while_it_ran() {
    UUID id = add(TestTask.retrying("a"));
    Task running = running("a");
    change(id, Limit.concurrency(1));
    settle(running, FAILED_FOR_GOOD);
    UUID other = add(limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).containsExactly(other);
    UUID copy = ids.next(shard);
    DueRun run = new DueRun(batch(id), 1);
    assertThat(store.batches().runAgain(run)).isTrue();
    store.batches().startRun(run, () -> copy);

    assertThat(find(copy).definition().rules()).isEqualTo(rules(Limit.concurrency(1)));
    assertThat(claimAll("a")).isEmpty();
    settle(find(other), SUCCEEDED);
    assertThat(claimAll("a")).containsExactly(copy);
  }

  @Test
  void a_retry_has_all_its_items_to_do_when_its_limits_change() {
    UUID id = addWithItems(TestTask.retrying("a"), 100);
    Task first = running("a");
    progress(id, 60, 0);
    settle(first, FAILED);
    change(id, Limit.capacity(100));
    clock.advance(TestTask.DELAY);

    assertThat(claimAll("a")).containsExactly(id);
    assertUsed("capacity:a[]", 100);
  }

  private void assertUsed(String key, long used) {
    claimAll("a"); // A limit appears when a claim has looked at it.
    assertThat(store.limits().list("", 10))
        .filteredOn(limit -> limit.key().equals(key))
        .extracting(LimitUsage::used)
        .containsExactly(used);
  }

  private void assertCountsAreRight() {
    assertThat(store.maintenance().sweepLimits("", 100)).isEqualTo(new LimitSweep(null, 0, 0));
  }

  @Test
  void waiting_and_paused_tasks_change_too() {
    UUID paused = add(limited(Limit.concurrency(1)));
    apply(lifecycle.pause(find(paused)));
    change(paused);

    assertThat(find(paused).hold()).containsExactly(HoldReason.PAUSED);
    apply(lifecycle.resume(find(paused)));
    assertThat(claimAll("a")).containsExactly(paused);
  }

  @Test
  void other_kinds_and_ended_tasks_stay_as_they_are() {
    UUID ended = add(limited(Limit.concurrency(1)));
    settle(find(claimAll("a").getFirst()), SUCCEEDED);

    assertThat(change(ended, Limit.concurrency(9))).isZero();
    assertThat(find(ended).definition().rules()).isEqualTo(rules(Limit.concurrency(1)));
    UUID other = add(limited(Limit.concurrency(1)));
    assertThat(store.limits().changeRules(new RulesChange(batch(other), "b", null, null)).tasks())
        .isZero();
  }
}
