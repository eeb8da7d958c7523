// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.MaintenanceStore.LimitSweep;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Limits that were set for a kind, not by the rules of tasks. */
abstract class LimitKindContract extends LimitContract {

  private static final Outcome SUCCEEDED = new Outcome.Succeeded(null);
  private static final String KEY = "concurrency:kind:a[]";

  LimitKindContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private void set(Limit... limits) {
    store.limits().setKind("a", List.of(limits), KindLimit.Source.OPERATOR);
  }

  private UUID addPlain() {
    return add(TestTask.retrying("a"));
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
  void limits_tasks_without_rules() {
    set(Limit.concurrency(2));
    List<UUID> ids = add(5, TestTask.retrying("a"));

    List<UUID> first = claimAll("a");
    assertThat(first).hasSize(2);
    settle(find(first.getFirst()), SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
    assertThat(ids).containsAll(first);
    assertUsed(KEY, 2);
    assertCountsAreRight();
  }

  @Test
  void limits_tasks_that_waited_before_it_was_set() {
    add(5, TestTask.retrying("a"));
    set(Limit.concurrency(1));

    UUID first = claimAll("a").getFirst();
    assertThat(claimAll("a")).isEmpty();
    settle(find(first), SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void tasks_start_in_their_order() {
    set(Limit.concurrency(1));
    UUID first = addPlain();
    UUID second = addPlain();
    UUID urgent = add(TestTask.retrying("a").withPriority(5));
    List<UUID> order = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      UUID next = claimAll("a").getFirst();
      order.add(next);
      settle(find(next), SUCCEEDED);
    }

    assertThat(order).containsExactly(urgent, first, second);
  }

  @Test
  void other_kinds_are_not_limited() {
    set(Limit.concurrency(1));
    add(3, TestTask.retrying("b"));

    assertThat(claimAll("a", "b")).hasSize(3);
    assertThat(find(claimAnyOfB()).hold()).isEmpty();
  }

  private UUID claimAnyOfB() {
    return add(TestTask.retrying("b"));
  }

  @Test
  void tasks_of_a_queue_count_as_well() {
    set(Limit.concurrency(2));
    add(3, TestTask.retrying("a").withQueue(QUEUE));
    add(3, TestTask.retrying("a"));
    add(2, TestTask.retrying("b").withQueue(QUEUE));

    List<UUID> claimed = claimAll("a", QUEUE);
    assertThat(claimed).filteredOn(id -> find(id).definition().kind().equals("a")).hasSize(2);
    assertThat(claimed).filteredOn(id -> find(id).definition().kind().equals("b")).hasSize(2);
    assertCountsAreRight();
  }

  @Test
  void running_tasks_count_when_it_is_set() {
    add(4, TestTask.retrying("a"));
    List<Task> running = List.of(running("a"), running("a"), running("a"));
    set(Limit.concurrency(2));

    assertThat(claimAll("a")).isEmpty();
    assertUsed(KEY, 3);
    settle(running.get(0), SUCCEEDED);
    assertThat(claimAll("a")).as("two still run").isEmpty();
    settle(running.get(1), SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
    assertCountsAreRight();
  }

  @Test
  void a_raised_limit_lets_more_tasks_start() {
    set(Limit.concurrency(1));
    add(9, TestTask.retrying("a"));
    assertThat(claimAll("a")).hasSize(1);
    set(Limit.concurrency(6));

    assertThat(claimAll("a")).hasSize(5);
    assertThat(store.limits().list("", 10).getFirst().rule().max()).isEqualTo(6);
    assertCountsAreRight();
  }

  @Test
  void a_lowered_limit_lets_running_tasks_finish() {
    set(Limit.concurrency(3));
    add(5, TestTask.retrying("a"));
    List<UUID> running = claimAll("a");
    set(Limit.concurrency(1));

    settle(find(running.get(0)), SUCCEEDED);
    settle(find(running.get(1)), SUCCEEDED);
    assertThat(claimAll("a")).isEmpty();
    settle(find(running.get(2)), SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
    assertCountsAreRight();
  }

  @Test
  void a_removed_limit_holds_nobody_back() {
    set(Limit.concurrency(1));
    List<UUID> ids = add(5, TestTask.retrying("a"));
    UUID running = claimAll("a").getFirst();
    assertThat(find(ids.getLast()).hold()).containsExactly(HoldReason.LIMITED);
    set();

    assertThat(claimAll("a")).hasSize(4);
    assertThat(find(ids.getLast()).hold()).isEmpty();
    settle(find(running), SUCCEEDED);
    assertThat(store.limits().ofKinds()).isEmpty();
    assertCountsAreRight();
  }

  @Test
  void a_retry_waits_for_the_limit_of_its_kind() {
    set(Limit.concurrency(1));
    UUID id = addPlain();
    settle(running("a"), FAILED);
    UUID other = addPlain();
    assertThat(claimAll("a")).containsExactly(other);
    clock.advance(TestTask.DELAY);

    assertThat(claimAll("a")).isEmpty();
    settle(find(other), SUCCEEDED);
    assertThat(claimAll("a")).containsExactly(id);
  }

  @Test
  void a_retry_no_longer_waits_for_a_limit_that_was_removed() {
    set(Limit.concurrency(1));
    UUID id = addPlain();
    settle(running("a"), FAILED);
    set();
    clock.advance(TestTask.DELAY);

    assertThat(claimAll("a")).containsExactly(id);
    assertThat(find(id).hold()).isEmpty();
    assertCountsAreRight();
  }

  @Test
  void paused_tasks_get_it_when_they_are_resumed() {
    UUID paused = addPlain();
    apply(lifecycle.pause(find(paused)));
    set(Limit.concurrency(1));
    UUID other = addPlain();
    assertThat(claimAll("a")).containsExactly(other);
    apply(lifecycle.resume(find(paused)));

    assertThat(claimAll("a")).isEmpty();
    settle(find(other), SUCCEEDED);
    assertThat(claimAll("a")).containsExactly(paused);
  }

  @Test
  void counts_by_metadata_fields() {
    set(Limit.concurrency(1).per("tenant"));
    for (int i = 0; i < 2; i++) {
      add(TestTask.retrying("a").withMetadata(tenant("x")));
      add(TestTask.retrying("a").withMetadata(tenant("y")));
      addPlain();
    }

    assertThat(claimAll("a")).hasSize(3);
    assertUsed("concurrency:kind:a[tenant=\"x\"]", 1);
    assertUsed("concurrency:kind:a[tenant=-]", 1);
    assertCountsAreRight();
  }

  @Test
  void other_fields_count_at_once() {
    set(Limit.concurrency(1));
    List<UUID> ids = new ArrayList<>();
    for (String tenant : List.of("x", "x", "y", "y")) {
      ids.add(add(TestTask.retrying("a").withMetadata(tenant(tenant))));
    }
    assertThat(claimAll("a")).containsExactly(ids.get(0));
    set(Limit.concurrency(1).per("tenant"));

    assertThat(claimAll("a")).as("x runs already").containsExactly(ids.get(2));
    settle(find(ids.get(0)), SUCCEEDED);
    assertThat(claimAll("a")).containsExactly(ids.get(1));
    assertCountsAreRight();
  }

  @Test
  void limits_the_rate_of_starts() {
    set(Limit.rate(1, SECOND));
    add(3, TestTask.retrying("a"));

    assertThat(claimAll("a")).hasSize(1);
    clock.advance(SECOND.minusMillis(1));
    assertThat(claimAll("a")).isEmpty();
    clock.advance(Duration.ofMillis(1));
    assertThat(claimAll("a")).hasSize(1);
  }

  @Test
  void limits_concurrency_and_rate_together() {
    set(Limit.concurrency(1), Limit.rate(1, SECOND));
    add(3, TestTask.retrying("a"));
    UUID first = claimAll("a").getFirst();
    clock.advance(SECOND);

    assertThat(claimAll("a")).as("the first still runs").isEmpty();
    settle(find(first), SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
    assertCountsAreRight();
  }

  @Test
  void holds_together_with_the_rules_of_tasks() {
    set(Limit.concurrency(3));
    add(2, limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).hasSize(1);
    add(5, TestTask.retrying("a"));

    assertThat(claimAll("a")).hasSize(2);
    assertUsed("concurrency:a[]", 1);
    assertUsed(KEY, 3);
    assertCountsAreRight();
  }

  @Test
  void does_not_bring_back_the_old_number_of_the_rules_of_a_task() {
    UUID old = add(limited(Limit.concurrency(5)), DueTime.in(SECOND));
    add(2, limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).as("by the last number").hasSize(1);
    set(Limit.concurrency(9));
    clock.advance(SECOND);

    assertThat(claimAll("a")).isEmpty();
    assertThat(find(old).hold()).containsExactly(HoldReason.LIMITED);
  }

  @Test
  void stays_when_the_rules_of_tasks_change() {
    set(Limit.concurrency(1));
    UUID id = add(2, TestTask.retrying("a")).getFirst();
    Task running = running("a");
    String rules = LimitRules.write(List.of(Limit.concurrency(4)), "a");
    store.limits().changeRules(new RulesChange(find(id).batch(), "a", null, rules));

    assertThat(claimAll("a")).isEmpty();
    assertUsed("concurrency:a[]", 1);
    assertUsed(KEY, 1);
    settle(running, SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
    assertCountsAreRight();
  }

  @Test
  void a_blocked_task_says_what_it_waits_for() {
    set(Limit.concurrency(1));
    List<UUID> ids = add(2, TestTask.retrying("a"));
    UUID running = claimAll("a").getFirst();
    UUID waiting = ids.getFirst().equals(running) ? ids.getLast() : ids.getFirst();

    assertThat(store.limits().waitOf(waiting).orElseThrow().limit().key()).isEqualTo(KEY);
  }

  @Test
  void is_stored_with_who_has_set_it() {
    store
        .limits()
        .setKind("b", List.of(Limit.rate(5, SECOND).burst(2).per("tenant")), KindLimit.Source.CODE);
    set(Limit.concurrency(2));
    set(Limit.concurrency(3));

    List<KindLimit> found = store.limits().ofKinds();
    assertThat(found).extracting(KindLimit::kind).containsExactly("a", "b");
    assertThat(found)
        .extracting(KindLimit::source)
        .containsExactly(KindLimit.Source.OPERATOR, KindLimit.Source.CODE);
    assertThat(found)
        .extracting(one -> one.limits().getFirst().rule())
        .containsExactly(Limit.concurrency(3).rule(), Limit.rate(5, SECOND).burst(2).rule());
    assertThat(found.getLast().limits().getFirst().fields()).containsExactly("tenant");
    assertThat(found).extracting(KindLimit::updatedAt).containsOnly(clock.instant());
  }
}
