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

/** A change is written when its guard holds, and otherwise nothing is. */
abstract class ApplyContract extends StoreContract {

  ApplyContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Fault 1: a late end of one lease must not end the next. */
  @Test
  void a_stale_epoch_is_refused() {
    submit(TestTask.withoutRetry("a"));
    Task late = running("a");
    settle(late, new Outcome.HandedBack());
    Task now = running("a");

    assertRefused(lifecycle.settle(late, SUCCEEDED, clock.instant()));
    assertThat(settle(now, SUCCEEDED).state()).isEqualTo(TaskState.SUCCESS);
  }

  @Test
  void an_epoch_that_is_not_yet_is_refused() {
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
            task.lastResult());

    assertRefused(lifecycle.settle(ahead, SUCCEEDED, clock.instant()));
  }

  @Test
  void what_was_decided_before_a_revive_is_refused_after_it() {
    Task first = find(submit(TestTask.withoutRetry("a")));
    write(lifecycle.cancel(first));
    Task revived = write(lifecycle.revive(find(first.id())));

    assertThat(revived.state()).isEqualTo(first.state());
    assertThat(revived.epoch()).isEqualTo(first.epoch());
    assertRefused(lifecycle.cancel(first));
  }

  @Test
  void a_change_of_a_task_that_is_not_there_is_told_so() {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");
    TaskChange taskChange = lifecycle.settle(task, SUCCEEDED, clock.instant());
    TaskChange elsewhere =
        new TaskChange(
            ids.next(0),
            taskChange.guard(),
            taskChange.event(),
            taskChange.to(),
            taskChange.due(),
            taskChange.retryCounters(),
            taskChange.holdChange(),
            null,
            taskChange.attemptDetails(),
            null,
            List.of(),
            CounterDelta.NONE);

    assertThat(apply(elsewhere)).isEqualTo(WriteResult.notFound());
    assertThat(attempts(elsewhere.task())).isEmpty();
  }

  @Test
  void nothing_to_change_changes_nothing() {
    assertThat(store.apply(List.of())).isEmpty();
    assertThat(store.heartbeat(List.of())).isEmpty();
  }

  @Test
  void in_a_batch_the_good_are_written_and_the_stale_are_not() {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      submit(TestTask.withoutRetry("a"));
      tasks.add(running("a"));
    }
    List<TaskChange> taskChanges =
        tasks.stream().map(task -> lifecycle.settle(task, SUCCEEDED, clock.instant())).toList();
    for (int i = 0; i < 40; i += 3) {
      write(lifecycle.cancel(tasks.get(i)));
    }

    List<WriteResult> writeResults = store.apply(taskChanges);

    assertThat(writeResults).hasSize(40);
    for (int i = 0; i < 40; i++) {
      boolean stale = i % 3 == 0;
      assertThat(writeResults.get(i))
          .as("change %d", i)
          .isEqualTo(stale ? WriteResult.refused(TaskState.CANCELED, 1) : WriteResult.written());
      UUID id = tasks.get(i).id();
      assertThat(find(id).state()).isEqualTo(stale ? TaskState.CANCELED : TaskState.SUCCESS);
      assertThat(attempts(id)).hasSize(1);
    }
  }

  @Test
  void of_two_ends_in_one_batch_the_first_wins() {
    submit(TestTask.withoutRetry("a"));
    Task task = running("a");

    List<WriteResult> writeResults =
        store.apply(
            List.of(lifecycle.settle(task, SUCCEEDED, clock.instant()), lifecycle.cancel(task)));

    assertThat(writeResults)
        .containsExactly(
            WriteResult.written(), WriteResult.refused(TaskState.SUCCESS, task.epoch()));
    assertThat(find(task.id()).state()).isEqualTo(TaskState.SUCCESS);
    assertThat(attempts(task.id())).hasSize(1);
  }

  @Test
  void the_same_change_again_is_refused() {
    submit(TestTask.retrying("a"));
    TaskChange taskChange = lifecycle.settle(running("a"), FAILED, clock.instant());
    write(taskChange);

    assertRefused(taskChange);
  }

  /** Fault 3. */
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

  /** Fault 3. */
  @Test
  void a_canceled_task_does_not_start() {
    submit(TestTask.withoutRetry("a"));
    Task task = claimed("a");
    write(lifecycle.cancel(task));

    assertRefused(lifecycle.start(task));
  }

  @Test
  void an_attempt_that_runs_may_be_paused_and_ends_as_usual() {
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
  void of_several_changes_of_one_task_only_the_first_is_tried() {
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
