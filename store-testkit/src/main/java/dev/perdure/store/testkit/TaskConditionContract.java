// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Filters by error, failure, attempt, times, worker and whether a task is parked. */
abstract class TaskConditionContract extends StoreContract {

  private static final Duration HOUR = Duration.ofHours(1);

  private Instant start = Instant.MIN;
  private UUID failed = new UUID(0, 0);
  private UUID otherFailed = new UUID(0, 0);
  private UUID waiting = new UUID(0, 0);
  private UUID running = new UUID(0, 0);
  private UUID parked = new UUID(0, 0);

  TaskConditionContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private static Outcome failure(String code, String message) {
    return new Outcome.Failed(Failure.explicit(code).withMessage(message), null);
  }

  @BeforeEach
  void submit_tasks() {
    start = clock.instant();
    submit(TestTask.withoutRetry("a"));
    failed = settle(running("a"), failure("gone", "order 1 is gone")).id();
    clock.advance(HOUR);
    submit(TestTask.withoutRetry("b"));
    otherFailed = settle(running("b"), failure("poor", "no money")).id();
    submit(TestTask.retrying("a"));
    waiting = settle(running("a"), failure("gone", "order 2 is gone")).id();
    submit(TestTask.withoutRetry("b"));
    parked = settle(running("b"), new Outcome.Parked("no such class")).id();
    submit(TestTask.withoutRetry("b"));
    running = running("b").id();
  }

  private void assertFinds(TaskFilter filter, UUID... expected) {
    for (TaskSort sort : List.of(TaskSort.NEWEST, TaskSort.OLDEST)) {
      assertThat(store.reader().list(filter, sort, PageRequest.first(10)).tasks())
          .as("%s %s", sort, filter)
          .extracting(TaskRow::id)
          .containsExactlyInAnyOrder(expected);
    }
    assertThat(store.reader().count(filter, 10, ScanLimit.DEFAULT))
        .isEqualTo(new TaskCount(expected.length, true));
  }

  @Test
  void by_error() {
    String error = error("explicit", "gone", "order 7 is gone");
    assertFinds(TaskFilter.all().withError(error), failed, waiting);
    assertFinds(TaskFilter.in(DisplayStatus.FAILURE).withError(error), failed);
    assertFinds(TaskFilter.in(TaskState.FAILURE), failed, otherFailed);
    assertFinds(TaskFilter.in(DisplayStatus.RETRY_PENDING).withError(error), waiting);
    assertFinds(TaskFilter.all().withError("0000000000000000"));
  }

  @Test
  void by_several_kinds() {
    TaskFilter all = TaskFilter.in(DisplayStatus.FAILURE);
    assertFinds(all.withKinds(Set.of("a", "b")), failed, otherFailed);
    assertFinds(all.withKinds(Set.of("a", "\"},{")), failed);
    assertFinds(all.withKinds(Set.of("c")));
  }

  @Test
  void by_failure_code() {
    assertFinds(TaskFilter.all().withFailureCode("gone"), failed, waiting);
  }

  @Test
  void by_attempt() {
    assertFinds(TaskFilter.all().withAttemptMin(1L), waiting);
    assertFinds(TaskFilter.all().withAttemptMin(2L));
  }

  @Test
  void by_end() {
    assertFinds(TaskFilter.all().withEndedAfter(start), otherFailed);
    assertFinds(TaskFilter.all().withEndedBefore(start.plus(HOUR)), failed);
    TaskFilter between = TaskFilter.all().withEndedAfter(start.minus(HOUR));
    assertFinds(between.withEndedBefore(start.plus(MILLI)), failed);
    assertThat(
            store
                .reader()
                .list(
                    TaskFilter.all().withEndedAfter(start),
                    TaskSort.LAST_ENDED,
                    PageRequest.first(10))
                .tasks())
        .extracting(TaskRow::id)
        .containsExactly(otherFailed);
  }

  @Test
  void by_due_time_only_tasks_that_have_not_ended() {
    Instant due = find(waiting).times().dueAt();
    assertFinds(TaskFilter.all().withDueAfter(due.minus(MILLI)), waiting);
    assertFinds(TaskFilter.all().withDueAfter(due));
    assertFinds(TaskFilter.all().withDueBefore(due), running, parked);
    TaskFilter retries = TaskFilter.in(TaskState.RETRY_PENDING);
    for (Instant before : List.of(due, due.plus(MILLI))) {
      assertThat(
              store
                  .reader()
                  .list(
                      retries.withDueBefore(before).withDueAfter(due.minus(MILLI)),
                      TaskSort.NEXT_RETRY,
                      PageRequest.first(10))
                  .tasks())
          .hasSize(before.equals(due) ? 0 : 1);
    }
  }

  @Test
  void by_worker() {
    assertFinds(TaskFilter.all().withWorker(node.toString()), running);
  }

  @Test
  void by_whether_it_is_parked() {
    assertFinds(TaskFilter.all().withParked(true), parked);
    assertFinds(TaskFilter.all().withParked(false), failed, otherFailed, waiting, running);
    Task paused = write(lifecycle.pause(find(parked)));
    assertThat(paused.status()).isEqualTo(DisplayStatus.PAUSED);
    assertFinds(TaskFilter.all().withParked(true), parked);
  }
}
