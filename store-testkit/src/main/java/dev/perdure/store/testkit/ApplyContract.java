// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A change is applied if its guard holds; otherwise nothing is written. */
abstract class ApplyContract extends StoreContract {

  ApplyContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** A late end of one lease must not end the next one. */
  @Test
  void a_stale_epoch_is_refused() {
    submit(TestTask.withoutRetry("a"));
    Task late = running("a");
    settle(late, new Outcome.HandedBack());
    Task current = running("a");

    assertRefused(lifecycle.settle(late, SUCCEEDED, clock.instant()));
    assertThat(settle(current, SUCCEEDED).state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void a_future_epoch_is_refused() {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");
    Task ahead =
        new Task(
            task.id(),
            task.batch(),
            task.run(),
            task.definition(),
            task.state(),
            task.hold(),
            task.epoch() + 1,
            task.worker(),
            null,
            null,
            task.retryCounters(),
            task.times(),
            task.progress(),
            task.lastResult(),
            task.dependencies());

    assertRefused(lifecycle.settle(ahead, SUCCEEDED, clock.instant()));
  }

  @Test
  void a_change_decided_before_a_revive_is_refused_after_it() {
    Task first = find(submit(TestTask.withoutRetry("a")));
    write(lifecycle.cancel(first));
    Task revived = write(lifecycle.revive(find(first.id())));

    assertThat(revived.state()).isEqualTo(first.state());
    assertThat(revived.epoch()).isEqualTo(first.epoch());
    assertRefused(lifecycle.cancel(first));
  }

  @Test
  void a_change_of_an_unknown_task_returns_not_found() {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");
    TaskChange change = lifecycle.settle(task, SUCCEEDED, clock.instant());
    TaskChange elsewhere =
        new TaskChange(
            ids.next(0),
            change.guard(),
            change.event(),
            change.to(),
            change.due(),
            change.retryCounters(),
            change.holdChange(),
            null,
            change.attemptDetails(),
            null,
            List.of(),
            CounterDelta.NONE);

    assertThat(apply(elsewhere)).isEqualTo(WriteResult.notFound());
    assertThat(attempts(elsewhere.task())).isEmpty();
  }

  @Test
  void empty_lists_change_nothing() {
    assertThat(store.apply(List.of())).isEmpty();
    assertThat(store.heartbeat(List.of())).isEmpty();
  }

  @Test
  void only_the_stale_changes_of_a_batch_are_refused() {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      submit(TestTask.withoutRetry("a"));
      tasks.add(running("a"));
    }
    List<TaskChange> changes =
        tasks.stream().map(task -> lifecycle.settle(task, SUCCEEDED, clock.instant())).toList();
    for (int i = 0; i < 40; i += 3) {
      write(lifecycle.cancel(tasks.get(i)));
    }

    List<WriteResult> results = store.apply(changes);

    assertThat(results).hasSize(40);
    for (int i = 0; i < 40; i++) {
      boolean stale = i % 3 == 0;
      assertThat(results.get(i))
          .as("change %d", i)
          .isEqualTo(stale ? WriteResult.refused(TaskState.CANCELED, 1) : WriteResult.written());
      UUID id = tasks.get(i).id();
      assertThat(find(id).state()).isEqualTo(stale ? TaskState.CANCELED : TaskState.SUCCESS);
      assertThat(attempts(id)).hasSize(1);
    }
  }

  @Test
  void the_first_of_two_ends_in_one_batch_wins() {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");

    List<WriteResult> results =
        store.apply(
            List.of(lifecycle.settle(task, SUCCEEDED, clock.instant()), lifecycle.cancel(task)));

    assertThat(results)
        .containsExactly(
            WriteResult.written(), WriteResult.refused(TaskState.SUCCESS, task.epoch()));
    assertThat(find(task.id()).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(attempts(task.id())).hasSize(1);
  }

  @Test
  void repeating_a_change_is_refused() {
    submit(TestTask.retrying("a"));
    TaskChange change = lifecycle.settle(running("a"), FAILED, clock.instant());
    write(change);

    assertRefused(change);
  }

  @Test
  void a_paused_task_does_not_start() {
    submit(TestTask.withoutRetry("a"));
    Task task = claimed("a");
    write(lifecycle.pause(task));

    assertRefused(lifecycle.start(task));
    Task back = settle(find(task.id()), new Outcome.HandedBack());
    assertThat(back.paused()).isTrue();
    assertThat(back.state()).isEqualTo(TaskState.PENDING);
  }

  @Test
  void a_canceled_task_does_not_start() {
    submit(TestTask.withoutRetry("a"));
    Task task = claimed("a");
    write(lifecycle.cancel(task));

    assertRefused(lifecycle.start(task));
  }

  @Test
  void a_running_attempt_can_be_paused_and_ends_as_usual() {
    submit(TestTask.retrying("a"));
    Task task = running("a");
    Task paused = write(lifecycle.pause(task));
    assertThat(paused.state()).isEqualTo(TaskState.RUNNING);
    assertThat(paused.worker()).isEqualTo(task.worker());

    Task retry = settle(task, FAILED);
    assertThat(retry.state()).isEqualTo(TaskState.RETRY_PENDING);
    clock.advance(TestTask.DELAY);
    assertThat(claim(1, "a").leases()).isEmpty();
  }

  @Test
  void only_the_first_of_several_changes_of_one_task_is_tried() {
    submit(TestTask.withoutRetry("a"));
    Task running = running("a");
    TaskChange pause = lifecycle.pause(running);
    TaskChange end = lifecycle.settle(running, SUCCEEDED, clock.instant());

    assertThat(store.apply(List.of(pause, end, pause)))
        .containsExactly(
            WriteResult.written(),
            WriteResult.refused(TaskState.RUNNING, 1),
            WriteResult.refused(TaskState.RUNNING, 1));
    assertThat(find(running.id()).paused()).isTrue();
    assertThat(attempts(running.id())).isEmpty();
  }
}
