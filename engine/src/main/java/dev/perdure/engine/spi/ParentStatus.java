// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * What a task's dependents need to know about it. Every store uses these rules, so that it only
 * compares and writes.
 *
 * @param upstreamFailed true when the task failed only because of its own parents
 * @param observers who must learn of its end; see {@link Observers}
 */
public record ParentStatus(
    TaskState state, boolean upstreamFailed, DependencyCounts counts, int observers) {

  /** The status of a task without observers. */
  public ParentStatus(TaskState state, boolean upstreamFailed, DependencyCounts counts) {
    this(state, upstreamFailed, counts, 0);
  }

  /** The status of a task of an earlier run: it stays as it is, whatever becomes of its parents. */
  public ParentStatus ofEarlierRun() {
    return new ParentStatus(state, false, counts, observers);
  }

  /** True when its batch has a retry policy. */
  public boolean mayRunAgain() {
    return (observers & Observers.MAY_RUN_AGAIN) != 0;
  }

  public static ParentStatus of(Task task) {
    return new ParentStatus(
        task.state(),
        task.lastResult().giveUpReason() == TaskGiveUpReason.UPSTREAM_FAILED,
        task.dependencies());
  }

  /**
   * The outcome that a dependency on this task should have.
   *
   * <p>A task that will fail because of its parents counts as failed before it has: so a failure
   * reaches the end of a long chain at once, and a revive takes it back at once. Only dependencies
   * that require success learn of it early. Others learn of the end itself, and what they have
   * learned stays true when the task is revived.
   *
   * @param before the outcome that it has now
   */
  public @Nullable DependencyOutcome outcomeFor(
      boolean requiresSuccess, @Nullable DependencyOutcome before) {
    if (before == DependencyOutcome.WAIVED || (before != null && !requiresSuccess)) {
      return before;
    }
    if (state == TaskState.SUCCESS) {
      return DependencyOutcome.SUCCEEDED;
    }
    boolean failed = requiresSuccess ? isFailedForGood() : state.isTerminal();
    return failed ? DependencyOutcome.FAILED : null;
  }

  private boolean isFailedForGood() {
    boolean followsParents = state == TaskState.WAITING || upstreamFailed;
    return followsParents ? counts.failed() > 0 : state.isTerminal();
  }

  /** True when the task waits although a task that it depends on failed. */
  public boolean mustFail() {
    return state == TaskState.WAITING && counts.failed() > 0;
  }

  /** True when the task failed because of tasks that have been revived since. */
  public boolean mustBeRevived() {
    return upstreamFailed && counts.failed() == 0;
  }

  /** True when the engine has to decide about the task. */
  public boolean needsDecision() {
    return mustFail() || mustBeRevived();
  }
}
