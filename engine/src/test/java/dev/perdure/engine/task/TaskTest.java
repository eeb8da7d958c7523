// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The values that a task derives from its stored fields: status, next retry, retries left. */
class TaskTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = Instant.parse("2026-03-01T12:05:00Z");

  private static Task task(
      TaskState state, int hold, long attempt, long base, @Nullable String policy) {
    return new Task(
        new UUID(1, 2),
        new UUID(3, 4),
        0,
        new TaskDefinition(
            "mail", null, "{}", null, policy, null, null, null, 0, null, null, null, null, null),
        state,
        hold,
        1,
        null,
        null,
        null,
        new RetryCounters(attempt, 0, base, null),
        new TaskTimes(NOW, LATER, NOW, null, null, NOW),
        Progress.NONE,
        LastResult.NONE);
  }

  private static Task in(TaskState state, int hold) {
    return task(state, hold, 0, 0, null);
  }

  @ParameterizedTest
  @CsvSource({
    "WAITING, Paused, Waiting",
    "PENDING, Paused, Pending",
    "CLAIMED, Claimed, Claimed",
    "RUNNING, Running, Running",
    "RETRY_PENDING, Paused, RetryPending",
    "SUCCESS, Success, Success",
    "FAILURE, Failure, Failure",
    "CANCELED, Canceled, Canceled"
  })
  void the_status_is_paused_while_a_pause_keeps_the_task_from_being_claimed(
      TaskState state, String paused, String unpaused) {
    assertThat(in(state, HoldFlags.PAUSED | HoldFlags.PARKED).status()).isEqualTo(paused);
    assertThat(in(state, HoldFlags.PARKED).status()).isEqualTo(unpaused);
  }

  @ParameterizedTest
  @EnumSource
  void has_a_next_retry_only_while_a_retry_is_pending(TaskState state) {
    assertThat(in(state, 0).nextRetryAt())
        .isEqualTo(state == TaskState.RETRY_PENDING ? LATER : null);
    assertThat(in(state, HoldFlags.PAUSED).nextRetryAt()).isEqualTo(in(state, 0).nextRetryAt());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      nullValues = "null",
      value = {
        "null;                                                                0; 0; 0",
        "{\"max_retries\":3,\"backoff\":{\"type\":\"immediate\"}};            0; 0; 3",
        "{\"max_retries\":3,\"backoff\":{\"type\":\"immediate\"}};            2; 0; 1",
        "{\"max_retries\":3,\"backoff\":{\"type\":\"immediate\"}};            5; 4; 2",
        "{\"max_retries\":3,\"backoff\":{\"type\":\"immediate\"}};            9; 0; 0",
        "{\"max_retries\":null,\"backoff\":{\"type\":\"immediate\"}};         9; 0; null",
        "[{\"count\":2,\"delay_minutes\":1},{\"count\":3,\"delay_minutes\":5}]; 1; 0; 4",
        "[{\"count\":2,\"delay_minutes\":1},{\"count\":0,\"delay_minutes\":5}]; 1; 0; null",
        "{\"backoff\":7};                                                     0; 0; 0"
      })
  void the_retries_left_follow_from_the_policy_and_the_attempt(
      @Nullable String policy, long attempt, long base, @Nullable Long left) {
    assertThat(task(TaskState.RUNNING, 0, attempt, base, policy).retriesLeft()).isEqualTo(left);
  }

  @Test
  void an_ended_task_has_no_retries_left() {
    String policy = "{\"max_retries\":3,\"backoff\":{\"type\":\"immediate\"}}";
    assertThat(task(TaskState.FAILURE, 0, 0, 0, policy).retriesLeft()).isZero();
  }
}
