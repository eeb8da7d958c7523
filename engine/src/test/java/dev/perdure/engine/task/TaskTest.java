// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
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
      TaskState state, Set<HoldReason> hold, long attempt, long base, @Nullable String policy) {
    return new Task(
        new UUID(1, 2),
        new UUID(3, 4),
        0,
        new TaskDefinition(
            "mail", null, "{}", null, policy, null, null, null, null, 0, null, null, null, null,
            null),
        state,
        hold,
        1,
        null,
        null,
        null,
        new RetryCounters(attempt, 0, base, null),
        new TaskTimes(NOW, LATER, NOW, null, null, NOW),
        Progress.NONE,
        LastResult.NONE,
        DependencyCounts.NONE);
  }

  private static Task in(TaskState state, HoldReason... hold) {
    return task(state, Set.of(hold), 0, 0, null);
  }

  @ParameterizedTest
  @CsvSource({
    "WAITING, Paused, Parked, Waiting",
    "PENDING, Paused, Parked, Pending",
    "CLAIMED, Claimed, Claimed, Claimed",
    "RUNNING, Running, Running, Running",
    "RETRY_PENDING, Paused, Parked, RetryPending",
    "SUCCESS, Success, Success, Success",
    "FAILURE, Failure, Failure, Failure",
    "CANCELED, Canceled, Canceled, Canceled"
  })
  void the_status_says_what_keeps_the_task_from_being_claimed(
      TaskState state, String paused, String parked, String free) {
    assertThat(in(state, HoldReason.PAUSED, HoldReason.PARKED).status()).hasToString(paused);
    assertThat(in(state, HoldReason.PARKED).status()).hasToString(parked);
    assertThat(in(state, HoldReason.LIMITED).status()).hasToString(free);
    assertThat(in(state).status()).hasToString(free);
  }

  @ParameterizedTest
  @EnumSource
  void every_status_is_found_by_its_name_and_its_states(DisplayStatus status) {
    assertThat(DisplayStatus.of(status.toString())).contains(status);
    assertThat(DisplayStatus.of(status.text())).contains(status);
    assertThat(DisplayStatus.of(status.name())).contains(status);
    assertThat(DisplayStatus.of(status + "?")).isEmpty();
    assertThat(status.states())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(TaskState.values())
                .filter(
                    state ->
                        Stream.of(
                                in(state),
                                in(state, HoldReason.PAUSED),
                                in(state, HoldReason.PARKED))
                            .anyMatch(task -> task.status() == status))
                .toList());
  }

  @Test
  void a_held_task_says_why() {
    assertThat(in(TaskState.PENDING, HoldReason.PARKED).toString()).contains("hold=[PARKED]");
    for (int bits : List.of(0, 1, 2, 3, 8, 9, 10, 11)) {
      assertThat(HoldReason.bits(HoldReason.ofBits(bits))).isEqualTo(bits);
    }
    assertThat(HoldReason.ofBits(4)).as("an earlier version's").isEmpty();
    assertThat(HoldReason.ofBits(17)).as("a later version's").containsExactly(HoldReason.PAUSED);
    assertThat(HoldReason.ofBits(9)).containsExactly(HoldReason.PAUSED, HoldReason.PARKED);
  }

  @ParameterizedTest
  @EnumSource
  void has_a_next_retry_only_while_a_retry_is_pending(TaskState state) {
    assertThat(in(state).nextRetryAt()).isEqualTo(state == TaskState.RETRY_PENDING ? LATER : null);
    assertThat(in(state, HoldReason.PAUSED).nextRetryAt()).isEqualTo(in(state).nextRetryAt());
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
    assertThat(task(TaskState.RUNNING, Set.of(), attempt, base, policy).retriesLeft())
        .isEqualTo(left);
  }

  @Test
  void an_ended_task_has_no_retries_left() {
    String policy = "{\"max_retries\":3,\"backoff\":{\"type\":\"immediate\"}}";
    assertThat(task(TaskState.FAILURE, Set.of(), 0, 0, policy).retriesLeft()).isZero();
  }
}
