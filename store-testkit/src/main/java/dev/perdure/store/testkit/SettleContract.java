// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.CounterDelta;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.ErrorFingerprint;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.testing.FakeClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The end of an attempt, its record and the next due time are written together. */
abstract class SettleContract extends StoreContract {

  private static final Duration SECOND = Duration.ofSeconds(1);

  SettleContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_success_keeps_its_result() {
    UUID id = submit(TestTask.withoutRetry("a"));
    Task running = running("a");
    clock.advance(SECOND);
    Task done = settle(running, new Outcome.Succeeded("{\"größe\": 3}"));

    assertThat(done.state()).isEqualTo(TaskState.SUCCESS);
    assertThat(done.lastResult())
        .isEqualTo(new LastResult(null, null, null, null, "{\"größe\": 3}", null));
    assertThat(done.worker()).isNull();
    assertThat(done.times().startedAt()).isEqualTo(FakeClock.START);
    assertThat(done.times().endedAt()).isEqualTo(clock.instant());
    Attempt attempt = attempts(id).getFirst();
    assertThat(attempt.worker()).isEqualTo(node.toString());
    assertThat(attempt.startedAt()).isEqualTo(FakeClock.START);
    assertThat(attempt.endedAt()).isEqualTo(clock.instant());
    assertThat(attempt.nextAttemptAt()).isNull();
  }

  @Test
  void a_retry_has_a_due_time_and_its_attempt_record_the_failure() {
    UUID id = submit(TestTask.retrying("a"));
    Task running = running("a");
    clock.advance(SECOND);
    Failure failure =
        Failure.exception(new IOException("kein Anschluß")).withStatus(503).withCode("no_line");
    Task waiting = settle(running, new Outcome.Failed(failure, "at a\n\tat b"));

    Instant next = clock.instant().plus(TestTask.DELAY);
    assertThat(waiting.state()).isEqualTo(TaskState.RETRY_PENDING);
    assertThat(waiting.retryCounters()).isEqualTo(new RetryCounters(1, 0, 0, TestTask.DELAY));
    assertThat(waiting.times().dueAt()).isEqualTo(next);
    assertThat(waiting.times().retrySince()).isEqualTo(FakeClock.START);
    assertThat(waiting.times().endedAt()).isNull();
    assertThat(waiting.lastResult())
        .isEqualTo(
            new LastResult(
                "exception",
                "kein Anschluß",
                "no_line",
                null,
                null,
                ErrorFingerprint.of(
                        "exception", 503, "no_line", "kein Anschluß", failure.exceptionTypes())
                    .id()));
    AttemptDetails details =
        new AttemptDetails(
            AttemptOutcome.FAILURE,
            "exception",
            503,
            "no_line",
            "kein Anschluß",
            failure.exceptionTypes(),
            "at a\n\tat b",
            TestTask.DELAY,
            null);
    assertThat(attempts(id))
        .containsExactly(
            new Attempt(
                id, 1, 0, node.toString(), FakeClock.START, clock.instant(), details, next));
  }

  @Test
  void the_task_fails_after_the_last_retry() {
    UUID id = submit(TestTask.retrying("a"));
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThat(settle(running("a"), FAILED).state()).isEqualTo(TaskState.RETRY_PENDING);
      clock.advance(TestTask.DELAY);
    }
    Task failed = settle(running("a"), FAILED);

    assertThat(failed.state()).isEqualTo(TaskState.FAILURE);
    assertThat(failed.lastResult())
        .isEqualTo(
            new LastResult(
                "explicit",
                null,
                "again",
                TaskGiveUpReason.EXHAUSTED,
                null,
                error("explicit", "again", null)));
    assertThat(failed.retryCounters().attempt()).isEqualTo(2);
    assertThat(attempts(id)).extracting(Attempt::number).containsExactly(0L, 1L, 2L);
    assertThat(attempts(id)).extracting(Attempt::epoch).containsExactly(1L, 2L, 3L);
    clock.advance(FOR_EVER.dividedBy(2));
    assertThat(claim(1, "a").leases()).isEmpty();
  }

  @Test
  void a_snoozed_task_runs_the_same_attempt_later() {
    UUID id = submit(TestTask.retrying("a"));
    Task snoozed = settle(running("a"), new Outcome.Snoozed(Duration.ofMinutes(5)));

    assertThat(snoozed.state()).isEqualTo(TaskState.PENDING);
    assertThat(snoozed.retryCounters()).isEqualTo(RetryCounters.INITIAL);
    assertThat(snoozed.lastResult()).isEqualTo(LastResult.NONE);
    clock.advance(Duration.ofMinutes(5).minusMillis(1));
    assertThat(claim(1, "a").leases()).isEmpty();
    clock.advance(MILLI);
    assertThat(running("a").retryCounters().attempt()).isZero();
    assertThat(attempts(id).getFirst().nextAttemptAt()).isEqualTo(clock.instant());
  }

  @Test
  void handing_a_task_back_uses_no_retry_and_keeps_the_due_time() {
    UUID id = submit(TestTask.retrying("a"));
    clock.advance(SECOND);
    Task back = settle(claimed("a"), new Outcome.HandedBack());

    assertThat(back.state()).isEqualTo(TaskState.PENDING);
    assertThat(back.retryCounters()).isEqualTo(RetryCounters.INITIAL);
    assertThat(back.times().dueAt()).isEqualTo(FakeClock.START);
    Attempt attempt = attempts(id).getFirst();
    assertThat(attempt.details()).isEqualTo(AttemptDetails.of(AttemptOutcome.HANDED_BACK));
    assertThat(attempt.startedAt()).isNull();
    assertThat(attempt.nextAttemptAt()).isEqualTo(FakeClock.START);
  }

  @Test
  void a_parked_task_shows_the_reason_until_it_is_resumed() {
    submit(TestTask.withoutRetry("a"));
    Task parked = settle(running("a"), new Outcome.Parked("no such class"));
    LastResult why = new LastResult(null, "no such class", null, null, null, null);

    assertThat(parked.state()).isEqualTo(TaskState.PENDING);
    assertThat(parked.status()).isEqualTo(DisplayStatus.PARKED);
    assertThat(parked.hold()).containsExactly(HoldReason.PARKED);
    assertThat(parked.lastResult()).isEqualTo(why);
    Task paused = write(lifecycle.pause(parked));
    assertThat(paused.status()).isEqualTo(DisplayStatus.PAUSED);
    assertThat(paused.hold()).containsExactlyInAnyOrder(HoldReason.PAUSED, HoldReason.PARKED);
    assertThat(paused.lastResult()).isEqualTo(why);
    Task resumed = write(lifecycle.resume(paused));
    assertThat(resumed.hold()).isEmpty();
    assertThat(resumed.lastResult()).isEqualTo(LastResult.NONE);
  }

  @Test
  void a_revived_task_is_no_longer_parked() {
    submit(TestTask.withoutRetry("a"));
    Task parked = settle(running("a"), new Outcome.Parked("no such class"));
    Task canceled = write(lifecycle.cancel(parked));
    assertThat(canceled.parked()).isFalse();
    assertThat(canceled.lastResult()).isEqualTo(LastResult.NONE);

    assertThat(write(lifecycle.revive(canceled)).status()).isEqualTo(DisplayStatus.PENDING);
    assertThat(running("a").id()).isEqualTo(parked.id());
  }

  @Test
  void a_policy_that_cannot_be_read_parks_the_task() {
    submit(TestTask.withoutRetry("a").withPolicy("{\"backoff\": 7}"));
    Task parked = settle(running("a"), FAILED);

    assertThat(parked.status()).isEqualTo(DisplayStatus.PARKED);
    assertThat(parked.lastResult().failureReason()).contains("policy cannot be read");
    assertThat(parked.retryCounters()).isEqualTo(RetryCounters.INITIAL);
  }

  @Test
  void a_loss_before_the_start_is_not_counted() {
    submit(TestTask.withoutRetry("a"));
    Task lost = write(lifecycle.workerLost(claimed("a")));

    assertThat(lost.state()).isEqualTo(TaskState.PENDING);
    assertThat(lost.retryCounters()).isEqualTo(RetryCounters.INITIAL);
    assertThat(running("a").id()).isEqualTo(lost.id());
  }

  @Test
  void each_loss_waits_longer_and_the_sixth_fails_the_task() {
    UUID id = submit(TestTask.retrying("a"));
    for (int losses = 1; losses <= 5; losses++) {
      Task lost = write(lifecycle.workerLost(running("a")));
      assertThat(lost.retryCounters()).isEqualTo(new RetryCounters(0, losses, 0, null));
      clock.advance(Duration.ofSeconds(1L << losses).minusMillis(1));
      assertThat(claim(1, "a").leases()).isEmpty();
      clock.advance(MILLI);
    }
    Task failed = write(lifecycle.workerLost(running("a")));

    assertThat(failed.state()).isEqualTo(TaskState.FAILURE);
    assertThat(failed.lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.LOST);
    assertThat(failed.lastResult().failureKind()).isNull();
    assertThat(failed.lastResult().failureReason()).contains(node.toString());
    assertThat(attempts(id))
        .hasSize(6)
        .allMatch(attempt -> attempt.details().outcome() == AttemptOutcome.LOST)
        .allMatch(attempt -> attempt.number() == 0);
  }

  @Test
  void cancel_ends_every_live_state() {
    Task pending = find(submit(TestTask.withoutRetry("p")));
    submit(TestTask.withoutRetry("c"));
    Task claimed = claimed("c");
    submit(TestTask.withoutRetry("r"));
    Task running = running("r");
    submit(TestTask.retrying("w"));
    Task waiting = settle(running("w"), FAILED);

    clock.advance(TestTask.DELAY);
    for (Task task : List.of(pending, claimed, running, waiting)) {
      Task canceled = write(lifecycle.cancel(task));
      assertThat(canceled.state()).isEqualTo(TaskState.CANCELED);
      assertThat(canceled.times().endedAt()).isEqualTo(clock.instant());
    }
    assertThat(claim(10, "p", "c", "r", "w").leases()).isEmpty();
    assertThat(attempts(pending.id())).isEmpty();
    assertThat(attempts(running.id()))
        .extracting(attempt -> attempt.details().outcome())
        .containsExactly(AttemptOutcome.CANCELED);
  }

  @Test
  void a_retry_that_never_runs_keeps_its_failure() {
    Failure busy = Failure.explicit("busy").withMessage("they are busy");
    for (Function<Task, TaskChange> end :
        List.<Function<Task, TaskChange>>of(lifecycle::cancel, lifecycle::expire)) {
      submit(TestTask.retrying("a"));
      Task ended = write(end.apply(settle(running("a"), new Outcome.Failed(busy, null))));

      assertThat(ended.lastResult().failureKind()).isEqualTo("explicit");
      assertThat(ended.lastResult().failureReason()).isEqualTo("they are busy");
      assertThat(ended.lastResult().failureCode()).isEqualTo("busy");
      assertThat(write(lifecycle.revive(ended)).lastResult()).isEqualTo(LastResult.NONE);
      assertThat(write(lifecycle.cancel(find(ended.id()))).lastResult()).isEqualTo(LastResult.NONE);
    }
  }

  @Test
  void a_canceled_task_shows_no_failure_if_none_was_waiting() {
    submit(TestTask.withoutRetry("a"));
    Task lost = write(lifecycle.workerLost(running("a")));
    assertThat(write(lifecycle.cancel(lost)).lastResult()).isEqualTo(LastResult.NONE);
    submit(TestTask.withoutRetry("a"));
    assertThat(write(lifecycle.cancel(running("a"))).lastResult()).isEqualTo(LastResult.NONE);
  }

  @Test
  void a_paused_retry_keeps_its_due_time_and_failure() {
    submit(TestTask.retrying("a"));
    Task waiting = settle(running("a"), FAILED);
    Task paused = write(lifecycle.pause(waiting));
    assertThat(paused.times().dueAt()).isEqualTo(waiting.times().dueAt());
    assertThat(paused.lastResult()).isEqualTo(waiting.lastResult());

    clock.advance(TestTask.DELAY);
    assertThat(claim(1, "a").leases()).isEmpty();
    Task resumed = write(lifecycle.resume(paused));
    assertThat(resumed.lastResult()).isEqualTo(waiting.lastResult());
    assertThat(running("a").id()).isEqualTo(waiting.id());
  }

  @Test
  void an_operator_can_reschedule_a_retry() {
    submit(TestTask.retrying("a"));
    Task waiting = settle(running("a"), FAILED);
    Task later = write(lifecycle.reschedule(waiting, DueTime.at(clock.instant().plusSeconds(90))));
    assertThat(later.lastResult()).isEqualTo(waiting.lastResult());
    assertThat(later.retryCounters()).isEqualTo(waiting.retryCounters());

    clock.advance(Duration.ofSeconds(89));
    assertThat(claim(1, "a").leases()).isEmpty();
    write(lifecycle.reschedule(later, DueTime.now()));
    assertThat(running("a").retryCounters().attempt()).isEqualTo(1);
  }

  @Test
  void a_pending_task_can_be_moved_later_and_sooner() {
    UUID id = submit(TestTask.retrying("a"));
    Instant later = clock.instant().plusSeconds(90);
    Task moved = write(lifecycle.reschedule(find(id), DueTime.at(later)));
    assertThat(moved.state()).isEqualTo(TaskState.PENDING);
    assertThat(moved.times().dueAt()).isEqualTo(later);
    assertThat(moved.times().retrySince()).as("the expiry counts from here").isEqualTo(later);

    clock.advance(Duration.ofSeconds(89));
    assertThat(claim(1, "a").leases()).isEmpty();
    assertThat(write(lifecycle.reschedule(moved, DueTime.now())).times().retrySince())
        .isEqualTo(clock.instant());
    Task running = running("a");
    assertThat(running.retryCounters()).isEqualTo(RetryCounters.INITIAL);
    assertRefused(lifecycle.reschedule(moved, DueTime.now()));

    Task retry = settle(running, FAILED);
    Task movedRetry = write(lifecycle.reschedule(retry, DueTime.at(later.plusSeconds(900))));
    assertThat(movedRetry.times().retrySince()).isEqualTo(retry.times().retrySince());
  }

  @Test
  void a_revive_restarts_the_retry_counters() {
    submit(TestTask.withoutRetry("a"));
    settle(running("a"), FAILED);
    UUID id = submit(TestTask.retrying("b"));
    settle(running("b"), new Outcome.Failed(Failure.explicit("x").withPermanent(true), null));
    clock.advance(SECOND);
    Task revived = write(lifecycle.revive(find(id)));

    assertThat(revived.state()).isEqualTo(TaskState.PENDING);
    assertThat(revived.retryCounters()).isEqualTo(new RetryCounters(1, 0, 1, null));
    assertThat(revived.times().dueAt()).isEqualTo(clock.instant());
    assertThat(revived.times().retrySince()).isEqualTo(clock.instant());
    assertThat(revived.times().endedAt()).isNull();
    assertThat(revived.lastResult()).isEqualTo(LastResult.NONE);
    for (int retries = 0; retries < 2; retries++) {
      assertThat(settle(running("b"), FAILED).state()).isEqualTo(TaskState.RETRY_PENDING);
      clock.advance(TestTask.DELAY);
    }
    assertThat(settle(running("b"), FAILED).state()).isEqualTo(TaskState.FAILURE);
  }

  @Test
  void the_history_returns_the_newest_attempts_oldest_first() {
    UUID id = submit(TestTask.withoutRetry("a"));
    for (int i = 0; i < 5; i++) {
      settle(running("a"), new Outcome.HandedBack());
    }
    assertThat(store.reader().attempts(id, 3))
        .extracting(Attempt::epoch)
        .containsExactly(3L, 4L, 5L);
  }

  @Test
  void counters_of_an_end_are_added_only_if_it_is_applied() {
    submit(TestTask.withoutRetry("a"));
    Task running = running("a");
    TaskChange end =
        lifecycle
            .settle(running, SUCCEEDED, clock.instant())
            .withCounterDelta(new CounterDelta(2, 3));
    assertThat(write(end).progress()).isEqualTo(new Progress(2, 3, null));

    assertRefused(end);
  }

  @Test
  void an_end_whose_counters_overflow_is_refused() {
    submit(TestTask.withoutRetry("a"));
    Task running = running("a");
    ProgressReport almostFull = new ProgressReport(running.lease(), Long.MAX_VALUE - 1, 0, null);
    store.addProgress(List.of(almostFull));
    TaskChange end = lifecycle.settle(running, SUCCEEDED, clock.instant());

    assertRefused(end.withCounterDelta(new CounterDelta(2, 0)));
    assertThat(write(end.withCounterDelta(new CounterDelta(1, Long.MAX_VALUE))).progress())
        .isEqualTo(new Progress(Long.MAX_VALUE, Long.MAX_VALUE, null));
  }
}
