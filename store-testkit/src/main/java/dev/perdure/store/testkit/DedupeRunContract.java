// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.BatchStore.DueRun;
import dev.perdure.engine.spi.HeldTasks;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.TaskState;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Batches that run again while live tasks have dedupe keys of their tasks. */
abstract class DedupeRunContract extends KeyedRuns {

  DedupeRunContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private DueRun due(Submission submission) {
    DueRun run = new DueRun(submission.batch(), 1);
    assertThat(store.batches().runAgain(run)).isTrue();
    return run;
  }

  @Test
  void a_run_has_the_keys_of_its_tasks() {
    Submission submission = ended(BatchDefinition.NONE, "0>1", KEY, "");

    List<UUID> started = startRun(due(submission));

    assertThat(started).hasSize(2);
    assertThat(holder(KEY)).isEqualTo(started.getFirst());
    assertThat(submitKeyed(KEY)).isEqualTo(started.getFirst());
  }

  @Test
  void a_live_task_takes_the_place_of_the_one_with_its_key() {
    Submission submission = ended(BatchDefinition.NONE, "0>1 1>2", "", KEY, "");
    UUID holder = submitKeyed(KEY);

    List<UUID> started = startRun(due(submission));

    assertThat(started).hasSize(2);
    assertThat(parents(started.get(1))).containsExactly(holder);
    assertCounted(started.get(1));
    settle(start(holder), SUCCEEDED);
    propagate();
    assertThat(find(started.get(1)).state()).isEqualTo(TaskState.PENDING);
    assertThat(store.batches().find(submission.batch()).orElseThrow().tasks()).isEqualTo(2);
  }

  @Test
  void tasks_of_other_batches_wait_for_the_live_task() {
    Submission submission = ended(RETRIED, "", KEY, "");
    UUID old = submission.tasks().getFirst().id();
    UUID child = after(old);
    assertThat(find(child).state()).isEqualTo(TaskState.WAITING);
    UUID holder = submitKeyed(KEY);

    List<UUID> started = startRun(endAndRetry(submission));

    assertThat(started).hasSize(1);
    assertThat(parents(child)).containsExactly(holder);
    assertThat(parents(after(old))).as("a task that names the old id").containsExactly(holder);
    settle(start(holder), SUCCEEDED);
    propagate();
    assertThat(find(child).state()).isEqualTo(TaskState.PENDING);
    assertCounted(child);
  }

  @Test
  void the_live_task_counts_at_its_end_if_its_batch_only_has_actions() {
    Submission submission = ended(RETRIED, "", KEY, "");
    UUID child = after(submission.tasks().getFirst().id());
    BatchDefinition withActions = new BatchDefinition(null, null, null, null, "{}", null);
    UUID holder = store.submit(graph(withActions, "", KEY, "")).ids().getFirst();
    startRun(endAndRetry(submission));
    assertThat(parents(child)).containsExactly(holder);

    settle(start(holder), SUCCEEDED);
    propagate();

    assertThat(find(child).state()).isEqualTo(TaskState.PENDING);
  }

  @Test
  void a_task_that_waits_for_both_is_told_of_the_last_end() {
    Submission submission = ended(RETRIED, "", KEY, "");
    UUID old = submission.tasks().getFirst().id();
    UUID holder = submitKeyed(KEY);
    UUID child = ids.next(shard);
    store.submit(
        new Submission(
            ids.next(shard),
            BatchDefinition.NONE,
            List.of(new NewTaskRow(child, unique().definition(), DueTime.now())),
            List.of(new Dependency(old, child, true), new Dependency(holder, child, true)),
            null));

    startRun(endAndRetry(submission));
    propagate();

    assertThat(find(child).state()).isEqualTo(TaskState.FAILURE);
    assertCounted(child);
  }

  @Test
  void a_run_of_which_nothing_is_left_is_put_off_until_a_key_is_free() {
    Submission submission = ended(BatchDefinition.NONE, "", KEY);
    UUID holder = submitKeyed(KEY);
    DueRun run = due(submission);

    assertThat(startRun(run)).isEmpty();
    assertThat(store.batches().dueRuns(LIMIT)).as("put off").isEmpty();
    clock.advance(HeldTasks.DELAY);
    assertThat(store.batches().dueRuns(LIMIT)).containsExactly(run);
    assertThat(startRun(run)).isEmpty();
    cancel(holder);
    clock.advance(HeldTasks.DELAY);
    assertThat(startRun(run)).hasSize(1);
    assertThat(holder(KEY)).isNotEqualTo(holder);
  }

  @Test
  void a_run_is_put_off_while_the_live_task_waits_itself() {
    Submission submission = ended(BatchDefinition.NONE, "0>1", KEY, "");
    List<UUID> tasks = store.submit(graph(BatchDefinition.NONE, "0>1", "", KEY)).ids();
    DueRun run = due(submission);

    assertThat(startRun(run)).isEmpty();
    succeed(tasks.get(0));
    propagate();
    clock.advance(HeldTasks.DELAY);

    List<UUID> started = startRun(run);
    assertThat(started).hasSize(1);
    assertThat(parents(started.getFirst())).containsExactly(tasks.get(1));
  }

  /** Its tasks would wait until that batch is final, and a task of that batch may wait for them. */
  @Test
  void a_run_is_put_off_while_the_batch_of_the_live_task_may_run_again() {
    Submission submission = ended(BatchDefinition.NONE, "0>1", KEY, "");
    UUID holder = store.submit(graph(RETRIED, "", KEY, "")).ids().getFirst();
    DueRun run = due(submission);

    assertThat(startRun(run)).isEmpty();
    cancel(holder);
    clock.advance(HeldTasks.DELAY);

    assertThat(startRun(run)).hasSize(2);
  }

  /**
   * Submits a batch in which a task has the key of this one, and lets it take its place in a run of
   * its batch; then cancels the batch.
   *
   * @param keys the keys of the tasks; all of them depend on the replaced task
   */
  private Submission replaced(Submission first, String... keys) {
    UUID old = first.tasks().getFirst().id();
    Submission tasks = graph(BatchDefinition.NONE, "", keys);
    Submission submission =
        new Submission(
            tasks.batch(),
            BatchDefinition.NONE,
            tasks.tasks(),
            tasks.tasks().stream().map(row -> new Dependency(old, row.id(), false)).toList(),
            null);
    assertThat(store.submit(submission).stored()).isEqualTo(keys.length);
    assertThat(startRun(due(first))).hasSize(1);
    submission.tasks().forEach(row -> cancel(row.id()));
    propagate();
    return submission;
  }

  /** Otherwise a copy would depend on a task of the run before, which has ended. */
  @Test
  void the_copy_of_a_task_takes_the_place_that_the_task_had_taken() {
    Submission submission = replaced(ended(BatchDefinition.NONE, "", KEY, ""), KEY, "");

    List<UUID> started = startRun(due(submission));

    assertThat(parents(started.get(1))).containsExactly(started.get(0));
    assertThat(find(started.get(1)).state()).isEqualTo(TaskState.WAITING);
    assertCounted(started.get(1));
  }

  @Test
  void a_live_task_takes_the_place_that_the_one_with_its_key_had_taken() {
    Submission submission = replaced(ended(BatchDefinition.NONE, "", KEY, ""), KEY, "");
    UUID holder = submitKeyed(KEY);

    List<UUID> started = startRun(due(submission));

    assertThat(parents(started.getFirst())).containsExactly(holder);
    assertCounted(started.getFirst());
  }

  /** It would never start. */
  @Test
  void a_task_does_not_wait_for_itself_or_a_later_one_of_its_batch() {
    Submission submission = replaced(ended(BatchDefinition.NONE, "", KEY, ""), "", KEY);

    List<UUID> started = startRun(due(submission));

    for (UUID task : started) {
      assertThat(parents(task)).isEmpty();
      assertThat(find(task).state()).isEqualTo(TaskState.PENDING);
      assertCounted(task);
    }
  }

  @Test
  void a_stopped_batch_is_decided_again_although_a_live_task_has_its_key() {
    Submission submission = ended(RETRIED, "", KEY);
    submitKeyed(KEY);
    DueRun run = endAndRetry(submission);
    store.batches().markStopped(submission.batch());

    assertThat(startRun(run)).isEmpty();

    assertThat(store.batches().completedRuns(LIMIT))
        .filteredOn(completed -> completed.batch().equals(submission.batch()))
        .singleElement()
        .satisfies(completed -> assertThat(completed.stopped()).isTrue());
    clock.advance(HeldTasks.DELAY);
    assertThat(store.batches().dueRuns(LIMIT)).as("not put off").isEmpty();
  }
}
