// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.LimitStore.RulesChange;
import dev.perdure.engine.spi.LimitStore.RulesChanged;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
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
  void a_running_task_keeps_its_place_in_its_old_limit() {
    List<UUID> ids = add(3, limited(Limit.concurrency(1)));
    Task running = find(claimAll("a").getFirst());
    change(ids.getFirst(), Limit.concurrency(1).per("tenant"));

    assertThat(claimAll("a")).as("of the new limit").hasSize(1);
    add(limited(Limit.concurrency(1)));
    assertThat(claimAll("a")).as("of the old limit, which the first task uses").isEmpty();
    settle(running, SUCCEEDED);
    assertThat(claimAll("a")).hasSize(1);
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
