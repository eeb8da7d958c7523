// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.ErrorFingerprint;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which error a task has, and when. */
abstract class ErrorContract extends StoreContract {

  ErrorContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  private static @Nullable String errorOf(Task task) {
    return task.lastResult().error();
  }

  private static Outcome failed(String message) {
    return new Outcome.Failed(Failure.explicit("no").withMessage(message), null);
  }

  @Test
  void a_waiting_retry_has_the_error_of_its_failure_until_it_is_claimed() {
    submit(TestTask.retrying("a"));
    Task waiting = settle(running("a"), failed("order 912 is gone"));
    String error = error("explicit", "no", "order 7 is gone");
    assertThat(errorOf(waiting)).isEqualTo(error);
    assertThat(errorOf(write(lifecycle.pause(waiting)))).isEqualTo(error);
    assertThat(errorOf(write(lifecycle.resume(find(waiting.id()))))).isEqualTo(error);
    clock.advance(TestTask.DELAY);

    Task running = running("a");
    assertThat(errorOf(running)).isNull();
    assertThat(errorOf(find(running.id()))).isNull();
    assertThat(errorOf(settle(running, SUCCEEDED))).isNull();
  }

  @Test
  void each_failure_has_its_own_error() {
    submit(TestTask.retrying("a"));
    settle(running("a"), failed("first"));
    clock.advance(TestTask.DELAY);
    assertThat(errorOf(settle(running("a"), failed("second"))))
        .isEqualTo(error("explicit", "no", "second"));
  }

  @Test
  void a_failed_task_has_an_error_until_it_is_revived_or_resolved() {
    submit(TestTask.withoutRetry("a"));
    Task failed = settle(running("a"), failed("gone"));
    assertThat(failed.state()).isEqualTo(TaskState.FAILURE);
    assertThat(errorOf(failed)).isEqualTo(error("explicit", "no", "gone"));
    assertThat(errorOf(write(lifecycle.revive(failed)))).isNull();
    settle(running("a"), failed("gone"));

    Task resolved = write(lifecycle.resolve(find(failed.id()), null, "done by hand"));
    assertThat(resolved.state()).isEqualTo(TaskState.SUCCESS);
    assertThat(errorOf(resolved)).isNull();
  }

  @Test
  void a_canceled_task_has_no_error() {
    submit(TestTask.retrying("a"));
    Task waiting = settle(running("a"), failed("gone"));
    assertThat(errorOf(write(lifecycle.cancel(waiting)))).isNull();
  }

  @Test
  void a_webhook_failure_has_an_error_by_status_and_message() {
    submit(TestTask.withoutRetry("a"));
    Failure failure =
        Failure.of(FailureKind.WEBHOOK_FAILURE)
            .withStatus(503)
            .withMessage("HTTP 503 from https://pay.example/charge/912");
    assertThat(errorOf(settle(running("a"), new Outcome.Failed(failure, null))))
        .isEqualTo(
            ErrorFingerprint.of(
                    "webhook_failure",
                    503,
                    null,
                    "HTTP 503 from https://pay.example/charge/7",
                    List.of())
                .id());
  }

  @Test
  void a_timeout_has_an_error() {
    submit(TestTask.withoutRetry("a").withTimeout(Duration.ofSeconds(1)));
    Task running = running("a");
    clock.advance(Duration.ofSeconds(2));
    assertThat(errorOf(settle(running, new Outcome.TimedOut()))).isNotNull();
  }

  @Test
  void a_task_that_expires_while_its_retry_waits_keeps_its_error() {
    submit(TestTask.retrying("a").withDeadline(clock.instant().plus(MILLI)));
    Task waiting = settle(running("a"), failed("gone"));
    clock.advance(MILLI);
    Task expired = write(lifecycle.expire(waiting));
    assertThat(expired.lastResult().giveUpReason()).isEqualTo(TaskGiveUpReason.EXPIRED);
    assertThat(errorOf(expired)).isEqualTo(error("explicit", "no", "gone"));
  }

  @Test
  void a_task_that_expires_without_a_failure_has_the_reason_as_its_error() {
    UUID id = submit(TestTask.retrying("a").withDeadline(clock.instant().plus(MILLI)));
    clock.advance(MILLI);
    assertThat(errorOf(write(lifecycle.expire(find(id)))))
        .isEqualTo(ErrorFingerprint.of(TaskGiveUpReason.EXPIRED).id());
  }

  @Test
  void a_task_whose_workers_were_lost_has_the_reason_as_its_error() {
    UUID id = submit(TestTask.retrying("a"));
    for (int loss = 0; find(id).state() != TaskState.FAILURE && loss < 100; loss++) {
      clock.advance(Duration.ofMinutes(10));
      Task lost = write(lifecycle.workerLost(running("a")));
      assertThat(errorOf(lost) != null).isEqualTo(lost.state() == TaskState.FAILURE);
    }
    assertThat(errorOf(find(id))).isEqualTo(ErrorFingerprint.of(TaskGiveUpReason.LOST).id());
  }

  @Test
  void a_task_moved_to_another_time_keeps_its_error() {
    submit(TestTask.retrying("a"));
    Task waiting = settle(running("a"), failed("gone"));
    Task moved = write(lifecycle.reschedule(waiting, DueTime.in(Duration.ofHours(1))));
    assertThat(errorOf(moved)).isEqualTo(errorOf(waiting)).isNotNull();
  }
}
