// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ImportedHistory;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A task with imported attempts continues after the last of them. */
abstract class ImportedHistoryContract extends StoreContract {

  private static final Duration DELAY = Duration.ofSeconds(7);
  private static final AttemptDetails FIRST =
      AttemptDetails.failure(Failure.timeout().withMessage("zu spät 💶"), null, DELAY);
  private static final AttemptDetails LAST =
      AttemptDetails.failure(
          Failure.http(503)
              .withCode("busy")
              .withMessage("later")
              .withExceptionTypes(List.of("a.B", "java.lang.Exception")),
          "a.B: later\n  at c",
          DELAY);

  ImportedHistoryContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private static ImportedHistory.PriorAttempt failed(
      long number, long secondsAgo, AttemptDetails details) {
    Duration endedAgo = Duration.ofSeconds(secondsAgo);
    return new ImportedHistory.PriorAttempt(number, endedAgo.plusMillis(1500), endedAgo, details);
  }

  /** Returns two attempts; the last one ended a second ago. */
  private static ImportedHistory twoAttempts() {
    return new ImportedHistory(
        "elsewhere", Duration.ofSeconds(12), List.of(failed(0, 9, FIRST), failed(1, 1, LAST)));
  }

  private Submission submission(TestTask task, ImportedHistory importedHistory) {
    int shard = nextShard();
    NewTaskRow row =
        new NewTaskRow(
            ids.next(shard), task.definition(), DueTime.in(Duration.ofSeconds(6)), importedHistory);
    return new Submission(ids.next(shard), List.of(row));
  }

  private UUID submitImported(TestTask task) {
    Submission submission = submission(task, twoAttempts());
    store.submit(submission);
    return submission.tasks().getFirst().id();
  }

  @Test
  void the_task_is_stored_as_a_pending_retry() {
    Submission submission = submission(TestTask.retrying("a"), twoAttempts());
    store.submit(submission);

    Instant now = clock.instant();
    UUID id = submission.tasks().getFirst().id();
    assertThat(find(id))
        .isEqualTo(
            new Task(
                id,
                submission.batch(),
                0,
                TestTask.retrying("a").definition(),
                TaskState.RETRY_PENDING,
                Set.of(),
                2,
                null,
                null,
                null,
                new RetryCounters(2, 0, 0, DELAY),
                new TaskTimes(
                    now,
                    now.plusSeconds(6),
                    now.minusSeconds(12),
                    now.minusMillis(2500),
                    null,
                    now),
                Progress.NONE,
                new LastResult("http", "later", "busy", null, null, twoAttempts().error()),
                DependencyCounts.NONE));
  }

  @Test
  void imported_attempts_are_part_of_the_history() {
    UUID id = submitImported(TestTask.retrying("a"));

    Instant now = clock.instant();
    assertThat(attempts(id))
        .containsExactly(
            new Attempt(
                id,
                1,
                0,
                "elsewhere",
                now.minusMillis(10_500),
                now.minusSeconds(9),
                FIRST,
                now.minusSeconds(2)),
            new Attempt(
                id,
                2,
                1,
                "elsewhere",
                now.minusMillis(2500),
                now.minusSeconds(1),
                LAST,
                now.plusSeconds(6)));
  }

  @Test
  void the_task_is_claimed_as_a_retry_when_it_is_due() {
    UUID id = submitImported(TestTask.retrying("a"));

    clock.advance(Duration.ofMillis(5999));
    assertThat(claim(1, "a").leases()).isEmpty();
    clock.advance(MILLI);
    Lease lease = claim(1, "a").leases().getFirst();

    assertThat(lease.previousFailureKind()).isEqualTo("http");
    assertThat(lease.task().id()).isEqualTo(id);
    assertThat(lease.task().epoch()).isEqualTo(3);
    assertThat(lease.task().retryCounters().attempt()).isEqualTo(2);
    assertThat(lease.task().lastResult()).isEqualTo(LastResult.NONE);
  }

  /** The policy allows two retries, and one was made before the submission. */
  @Test
  void the_policy_counts_imported_attempts() {
    submitImported(TestTask.retrying("a"));
    clock.advance(Duration.ofSeconds(6));

    Task ended = settle(running("a"), FAILED);

    assertThat(ended.lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.EXHAUSTED);
    assertThat(attempts(ended.id())).extracting(Attempt::number).containsExactly(0L, 1L, 2L);
    assertThat(attempts(ended.id())).extracting(Attempt::epoch).containsExactly(1L, 2L, 3L);
  }

  @Test
  void the_expiry_counts_from_the_first_imported_attempt() {
    String policy =
        """
        {"backoff": {"type": "fixed", "delay": "2s"}, "jitter": "none", "expires_after": "19s"}""";
    submitImported(TestTask.withoutRetry("a").withPolicy(policy));
    clock.advance(Duration.ofSeconds(6));

    assertThat(settle(running("a"), FAILED).lastResult().giveUpReason())
        .isEqualTo(TaskGiveUpReason.EXPIRED);
  }

  @Test
  void repeating_the_submission_changes_nothing() {
    Submission submission = submission(TestTask.retrying("a"), twoAttempts());
    store.submit(submission);
    clock.advance(Duration.ofSeconds(6));
    UUID id = settle(running("a"), SUCCEEDED).id();
    Snapshot before = snapshot(id);

    clock.advance(Duration.ofSeconds(1));
    store.submit(submission);

    assertThat(snapshot(id)).isEqualTo(before);
  }

  /** A caller with many attempts submits only the newest. */
  @Test
  void older_attempts_that_were_not_imported_are_counted() {
    ImportedHistory newest =
        new ImportedHistory("elsewhere", Duration.ofSeconds(99), List.of(failed(40, 1, LAST)));
    Submission submission = submission(TestTask.retrying("a"), newest);
    store.submit(submission);

    Snapshot snapshot = snapshot(submission.tasks().getFirst().id());
    assertThat(snapshot.task().retryCounters().attempt()).isEqualTo(41);
    assertThat(snapshot.task().lastResult().failureReason()).isEqualTo("later");
    assertThat(snapshot.attempts()).extracting(Attempt::epoch).containsExactly(41L);
  }

  @Test
  void a_batch_can_mix_tasks_with_and_without_history() {
    int shard = nextShard();
    NewTaskRow fresh =
        new NewTaskRow(ids.next(shard), TestTask.withoutRetry("a").definition(), DueTime.now());
    NewTaskRow tried =
        new NewTaskRow(
            ids.next(shard), TestTask.withoutRetry("a").definition(), DueTime.now(), twoAttempts());
    store.submit(new Submission(ids.next(shard), List.of(fresh, tried)));

    assertThat(find(fresh.id()).retryCounters()).isEqualTo(RetryCounters.INITIAL);
    assertThat(find(fresh.id()).state()).isEqualTo(TaskState.PENDING);
    assertThat(attempts(fresh.id())).isEmpty();
    assertThat(find(tried.id()).state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(attempts(tried.id())).hasSize(2);
  }
}
