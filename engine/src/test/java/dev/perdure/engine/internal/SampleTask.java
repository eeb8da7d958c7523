// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.LastResult;
import dev.perdure.engine.task.Progress;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds the tasks that tests decide about. */
public final class SampleTask {

  static final UUID ID = UUID.fromString("0195f1a2-0000-7000-8000-000000000000");
  static final Instant SUBMITTED = Instant.parse("2026-03-01T12:00:00Z");

  private SampleTask() {}

  public static Task task(TaskState state, @Nullable String policy, RetryCounters retryCounters) {
    TaskDefinition taskDefinition =
        new TaskDefinition(
            "a",
            null,
            "{}",
            null,
            policy,
            null,
            null,
            Duration.ofSeconds(60),
            null,
            0,
            null,
            null,
            null,
            null,
            null);
    return task(state, taskDefinition, state.isLeased() ? "node" : null, null, retryCounters);
  }

  static Task task(
      TaskState state,
      TaskDefinition taskDefinition,
      @Nullable String worker,
      @Nullable Long handleEpoch,
      RetryCounters retryCounters) {
    Instant ended = state.isTerminal() ? SUBMITTED : null;
    return new Task(
        ID,
        ID,
        0,
        taskDefinition,
        state,
        Set.of(),
        7,
        worker,
        handleEpoch,
        null,
        retryCounters,
        new TaskTimes(SUBMITTED, SUBMITTED, SUBMITTED, null, ended, SUBMITTED),
        Progress.NONE,
        LastResult.NONE,
        DependencyCounts.NONE);
  }
}
