// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class EngineLogTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String POLICY =
      "{\"max_retries\":1,\"backoff\":{\"type\":\"fixed\",\"delay\":\"4s\"},\"jitter\":\"none\"}";
  private static final Outcome FAILED =
      new Outcome.Failed(Failure.of(FailureKind.EXPLICIT).withMessage("line busy"), null);

  private final EngineLog log = new EngineLog("north");
  private final TaskLifecycle taskLifecycle = new TaskLifecycle(LossLimit.DEFAULT);

  private static Task running(long attempt) {
    return task(attempt, TaskState.RUNNING, 1, "node");
  }

  private static Task task(long attempt, TaskState state, long epoch, @Nullable String worker) {
    return new Task(
        new UUID(1, 2),
        new UUID(3, 4),
        0,
        new TaskDefinition(
            "mail", null, "{}", null, POLICY, null, "fixed", null, null, 0, null, null, null, null,
            null),
        state,
        Set.of(),
        epoch,
        worker,
        null,
        null,
        new RetryCounters(attempt, 0, 0, null),
        new TaskTimes(NOW, NOW, NOW, NOW, null, NOW),
        Progress.NONE,
        LastResult.NONE,
        DependencyCounts.NONE);
  }

  @Test
  void a_retry_is_logged_with_its_delay_in_seconds_and_the_ids_to_find_it() {
    try (CapturedLog capturedLog = new CapturedLog()) {
      log.onChanged(running(0), taskLifecycle.settle(running(0), FAILED, NOW), Duration.ZERO);

      assertThat(capturedLog.lines())
          .singleElement()
          .asString()
          .contains("node=north", "task=" + new UUID(1, 2), "batch=" + new UUID(3, 4), "attempt=0")
          .contains("trace_id=" + running(0).trace().traceId())
          .endsWith("task retry scheduled (attempt 1) in 4.0 s: line busy");
    }
  }

  @Test
  void the_final_failure_is_logged_with_the_number_of_attempts() {
    try (CapturedLog capturedLog = new CapturedLog()) {
      log.onChanged(running(1), taskLifecycle.settle(running(1), FAILED, NOW), Duration.ZERO);

      assertThat(capturedLog.lines())
          .singleElement()
          .asString()
          .contains("ERROR", "node=north")
          .endsWith("task failed permanently after 2 attempts (exhausted): line busy");
    }
  }

  @Test
  void a_failure_without_a_message_is_logged_as_what_it_was() {
    Outcome.Failed silent = new Outcome.Failed(Failure.http(503), null);
    try (CapturedLog capturedLog = new CapturedLog()) {
      log.onChanged(running(0), taskLifecycle.settle(running(0), silent, NOW), Duration.ZERO);
      log.onChanged(running(1), taskLifecycle.settle(running(1), silent, NOW), Duration.ZERO);

      assertThat(capturedLog.lines())
          .satisfiesExactly(
              line -> assertThat(line).endsWith("in 4.0 s: http 503"),
              line -> assertThat(line).endsWith("after 2 attempts (exhausted): http 503"));
    }
  }

  @Test
  void a_task_that_is_handed_back_or_parked_or_loses_its_worker_is_logged_in_words() {
    Outcome parked = new Outcome.Parked("its payload cannot be read");
    try (CapturedLog capturedLog = new CapturedLog()) {
      log.onChanged(
          running(0),
          taskLifecycle.settle(running(0), new Outcome.HandedBack(), NOW),
          Duration.ZERO);
      log.onChanged(running(0), taskLifecycle.settle(running(0), parked, NOW), Duration.ZERO);
      log.onChanged(running(0), taskLifecycle.workerLost(running(0), "south"), Duration.ZERO);

      assertThat(capturedLog.lines())
          .satisfiesExactly(
              line -> assertThat(line).endsWith("task handed back, to run again"),
              line ->
                  assertThat(line).contains("WARN").endsWith("parked: its payload cannot be read"),
              line -> assertThat(line).endsWith("task will run again: its worker was lost: south"));
    }
  }

  @Test
  void a_task_that_expires_before_its_first_attempt_is_logged_with_0_attempts() {
    Task pending = task(0, TaskState.PENDING, 0, null);
    try (CapturedLog capturedLog = new CapturedLog()) {
      log.onChanged(pending, taskLifecycle.expire(pending), Duration.ZERO);

      assertThat(capturedLog.lines())
          .singleElement()
          .asString()
          .endsWith("task failed permanently after 0 attempts (expired): the deadline passed");
    }
  }

  @Test
  void a_stale_write_and_a_self_stop_are_logged_and_a_store_error_is_not() {
    try (CapturedLog capturedLog = new CapturedLog()) {
      log.onStaleWrite(running(0).lease());
      log.onSelfStop();
      log.onStoreError(
          "claim", new StoreException("unavailable", null, StoreException.ErrorKind.UNAVAILABLE));

      assertThat(capturedLog.lines())
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("node=north"));
    }
  }
}
