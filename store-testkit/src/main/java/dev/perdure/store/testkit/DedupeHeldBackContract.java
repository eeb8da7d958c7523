// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.CompletedRun;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.Task;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The runs after one in which a live task has taken the place of a task. */
abstract class DedupeHeldBackContract extends KeyedRuns {

  DedupeHeldBackContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** Starts the second run, in which a live task has taken the place of the one with the key. */
  private List<UUID> startHeldBack(Submission submission) {
    submitKeyed(KEY);
    List<UUID> started = startRun(endAndRetry(submission));
    assertThat(started).hasSize(submission.tasks().size() - 1);
    return started;
  }

  private void cancelAll(List<UUID> tasks) {
    tasks.reversed().forEach(this::cancel);
    propagate();
  }

  private void freeKey() {
    cancel(requireNonNull(holder(KEY)));
  }

  @Test
  void a_task_whose_place_was_taken_is_part_of_the_next_run() {
    Submission submission = ended(RETRIED, "0>1 1>2", "", KEY, "");
    cancelAll(startHeldBack(submission));
    freeKey();

    List<UUID> started = startRun(endAndRetry(submission, 2));

    assertThat(started).hasSize(3);
    assertThat(holder(KEY)).isEqualTo(started.get(1));
    assertThat(parents(started.get(1))).containsExactly(started.get(0));
    assertThat(parents(started.get(2))).containsExactly(started.get(1));
    started.forEach(this::assertCounted);
    UUID firstId = submission.tasks().get(1).id();
    assertThat(parents(after(firstId))).containsExactly(started.get(1));
  }

  @Test
  void another_live_task_can_take_the_place_in_the_next_run() {
    Submission submission = ended(RETRIED, "0>1 1>2", "", KEY, "");
    cancelAll(startHeldBack(submission));
    freeKey();
    UUID other = submitKeyed(KEY);

    List<UUID> second = startRun(endAndRetry(submission, 2));
    assertThat(second).hasSize(2);
    assertThat(parents(second.get(1))).containsExactly(other);
    cancelAll(second);
    freeKey();
    List<UUID> third = startRun(endAndRetry(submission, 3));
    assertThat(third).hasSize(3);
    assertThat(parents(third.get(2))).containsExactly(third.get(1));
    cancelAll(third);
    List<UUID> fourth = startRun(endAndRetry(submission, 4));
    assertThat(fourth).hasSize(3);
    assertThat(parents(fourth.get(2))).containsExactly(fourth.get(1));
  }

  @Test
  void a_run_is_put_off_if_what_is_left_of_the_submission_has_all_its_keys_taken() {
    Submission submission = ended(RETRIED, "0>1", KEY, "second");
    cancelAll(startHeldBack(submission));
    submitKeyed("second");

    assertThat(startRun(endAndRetry(submission, 2))).isEmpty();
  }

  @Test
  void a_run_that_failed_because_of_the_live_task_has_the_failure_of_that() {
    Submission submission = ended(RETRIED, "0>1", KEY, "");
    List<UUID> started = startHeldBack(submission);
    Task failed = settle(start(requireNonNull(holder(KEY))), FAILED_FOR_GOOD);
    propagate();

    CompletedRun run = completed(submission);
    assertThat(run.outcome()).isEqualTo(BatchOutcome.FAILURE);
    assertThat(run.failed()).isEqualTo(find(started.getFirst()));
    assertThat(run.failure())
        .isNotNull()
        .extracting(AttemptDetails::failureKind, AttemptDetails::code)
        .containsExactly(failed.lastResult().failureKind(), "broken");
  }

  @Test
  void a_run_that_failed_because_of_a_task_of_another_batch_has_no_failure_of_its_own() {
    UUID parent = submitKeyed(KEY);
    Submission tasks = graph(RETRIED, "", "");
    UUID child = tasks.tasks().getFirst().id();
    List<Dependency> after = List.of(new Dependency(parent, child, true));
    store.submit(new Submission(tasks.batch(), RETRIED, tasks.tasks(), after, null));
    settle(start(parent), FAILED_FOR_GOOD);
    propagate();

    assertThat(completed(tasks).outcome()).isEqualTo(BatchOutcome.FAILURE);
    assertThat(completed(tasks).failed()).isNull();
  }

  private CompletedRun completed(Submission submission) {
    return store.batches().completedRuns(LIMIT).stream()
        .filter(run -> run.batch().equals(submission.batch()))
        .findFirst()
        .orElseThrow();
  }
}
