// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.SubmissionReceipt;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tasks that replace the live task with their dedupe key, and revives of tasks that have one. */
abstract class DedupeReplaceContract extends KeyedTasks {

  private static final String POLICY =
      "{\"max_retries\":2,\"backoff\":{\"type\":\"fixed\",\"delay\":\"1m\"}}";

  DedupeReplaceContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Nested
  class Replaced {

    private final Duration hour = Duration.ofHours(1);

    @Test
    void an_unclaimed_task_takes_payload_due_time_and_policy() {
      UUID existing = submitKeyed(KEY);
      Task before = find(existing);

      SubmissionReceipt receipt =
          store.submit(batch(replacing(keyed(KEY, "{\"new\":1}", POLICY), DueTime.in(hour))));

      assertThat(receipt.ids()).containsExactly(existing);
      assertThat(receipt.duplicates()).containsExactly(0);
      Task after = find(existing);
      assertThat(after.definition()).isEqualTo(keyed(KEY, "{\"new\":1}", POLICY));
      assertThat(after.times().dueAt()).isEqualTo(before.times().dueAt().plus(hour));
      assertThat(after.times().retrySince()).isEqualTo(after.times().dueAt());
      assertThat(claim(1, SHARED_KIND).leases()).as("not due").isEmpty();
      clock.advance(hour);
      assertThat(start(existing).definition().payload()).isEqualTo("{\"new\":1}");
    }

    @Test
    void a_waiting_task_is_replaced_too() {
      Submission graph = DedupeReplaceContract.this.graph(BatchDefinition.NONE, "0>1", "", KEY);
      List<UUID> tasks = store.submit(graph).ids();

      store.submit(batch(replacing(keyed(KEY, "2", null), DueTime.now())));

      assertThat(find(tasks.get(1)).definition().payload()).isEqualTo("2");
      assertThat(find(tasks.get(1)).state()).isEqualTo(TaskState.WAITING);
      settle(start(tasks.get(0)), SUCCEEDED);
      propagate();
      assertThat(start(tasks.get(1)).definition().payload()).isEqualTo("2");
    }

    @Test
    void a_task_that_waits_for_a_limit_is_claimed_with_the_new_payload() {
      String rules = LimitRules.write(List.of(Limit.concurrency(1)), "limited");
      NewTaskRow limited =
          new NewTaskRow(
              ids.next(shard), keyed("limited", KEY, "1", null, rules), DueTime.in(hour));
      store.submit(batch(limited));
      assertThat(claim(1, "limited").leases()).isEmpty();

      store.submit(batch(replacing(keyed("limited", KEY, "2", null, rules), DueTime.now())));

      assertThat(claim(1, "limited").leases())
          .singleElement()
          .satisfies(lease -> assertThat(lease.task().definition().payload()).isEqualTo("2"));
    }

    @Test
    void a_task_that_was_claimed_stays_as_it_is() {
      UUID existing = submitKeyed(KEY);
      Task running = start(existing);
      NewTaskRow other = replacing(keyed(KEY, "2", POLICY), DueTime.in(hour));

      assertThat(store.submit(batch(other)).ids()).containsExactly(existing);
      assertThat(find(existing)).isEqualTo(running);
      settle(running, new Outcome.HandedBack());
      Task handedBack = find(existing);
      assertThat(store.submit(batch(other)).ids()).containsExactly(existing);
      assertThat(find(existing)).as("claimed before").isEqualTo(handedBack);
    }

    @Test
    void the_last_task_of_a_batch_replaces_the_first() {
      Submission submission =
          batch(
              row(KEY),
              replacing(keyed(KEY, "2", null), DueTime.now()),
              replacing(keyed(KEY, "3", POLICY), DueTime.in(hour)));

      List<UUID> tasks = store.submit(submission).ids();

      assertThat(tasks).containsOnly(submission.tasks().getFirst().id());
      assertThat(find(tasks.getFirst()).definition()).isEqualTo(keyed(KEY, "3", POLICY));
      assertThat(claim(1, SHARED_KIND).leases()).isEmpty();
    }

    @Test
    void a_task_is_not_replaced_unless_that_is_asked_for() {
      UUID existing = submitKeyed(KEY);
      Task before = find(existing);
      store.submit(
          batch(new NewTaskRow(ids.next(shard), keyed(KEY, "2", POLICY), DueTime.in(hour))));
      assertThat(find(existing)).isEqualTo(before);
    }
  }

  @Nested
  class Revived {

    @Test
    void a_task_whose_key_is_taken_stays_ended() {
      UUID first = submitKeyed(KEY);
      cancel(first);
      UUID second = submitKeyed(KEY);

      assertRefused(lifecycle.revive(find(first)));

      cancel(second);
      revive(first);
      assertThat(holder(KEY)).isEqualTo(first);
    }

    @Test
    void only_one_of_two_ended_tasks_with_the_key_comes_back_and_others_are_not_held_up() {
      UUID first = submitKeyed(KEY);
      cancel(first);
      UUID second = submitKeyed(KEY);
      cancel(second);
      UUID free = submitKeyed("free");
      cancel(free);
      UUID other = submitKeyed("other");

      assertThat(
              store
                  .apply(
                      List.of(
                          lifecycle.revive(find(first)),
                          lifecycle.cancel(find(other)),
                          lifecycle.revive(find(second)),
                          lifecycle.revive(find(free))))
                  .stream()
                  .map(result -> result.applied()))
          .containsExactly(true, true, false, true);

      assertThat(holder(KEY)).isEqualTo(first);
      assertThat(find(second).state()).isEqualTo(TaskState.CANCELED);
      assertThat(find(other).state()).isEqualTo(TaskState.CANCELED);
      assertThat(holder("free")).isEqualTo(free);
    }

    @Test
    void a_child_comes_back_when_its_key_is_free() {
      Submission graph = DedupeReplaceContract.this.graph(BatchDefinition.NONE, "0>1", "", KEY);
      List<UUID> tasks = store.submit(graph).ids();
      cancel(tasks.get(0));
      propagate();
      assertThat(find(tasks.get(1)).state()).isEqualTo(TaskState.FAILURE);
      UUID holder = submitKeyed(KEY);
      revive(tasks.get(0));

      List<UUID> undecided = propagateOnce().undecided();
      assertThat(undecided).containsExactly(tasks.get(1));
      assertRefused(lifecycle.reviveAfterUpstream(find(tasks.get(1))));
      assertThat(propagateOnce().undecided()).as("later").containsExactly(tasks.get(1));

      cancel(holder);
      propagate();
      assertThat(find(tasks.get(1)).state()).isEqualTo(TaskState.WAITING);
      assertThat(holder(KEY)).isEqualTo(tasks.get(1));
    }
  }
}
