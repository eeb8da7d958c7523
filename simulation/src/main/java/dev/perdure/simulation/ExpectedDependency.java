// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.task.DependencyOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A dependency, and what the checker knows of its parent without reading any counts. */
final class ExpectedDependency {

  private UUID parent;
  private final UUID child;
  private final boolean required;
  private final boolean deferred;
  private boolean satisfied;
  private boolean failed;
  private boolean waived;
  private @Nullable DependencyOutcome outcome;

  /**
   * @param deferred true when the parent belongs to another batch that may run again
   */
  ExpectedDependency(UUID parent, UUID child, boolean required, boolean deferred) {
    this.parent = parent;
    this.child = child;
    this.required = required;
    this.deferred = deferred;
  }

  /**
   * Notes the state of the parent. What it did before a revive counts only if it was propagated.
   *
   * @param counts false while the batch of the parent has to become final first
   */
  void observe(TaskState state, boolean counts) {
    boolean ended = counts && state.isTerminal();
    boolean satisfies = state == TaskState.SUCCESS || !required;
    satisfied = (ended && satisfies) || (satisfied && hasSatisfyingOutcome());
    failed = (ended && !satisfies) || outcome == DependencyOutcome.FAILED;
  }

  boolean hasSatisfyingOutcome() {
    return DependencyOutcome.satisfies(outcome, required);
  }

  /** Notes that the child was revived, perhaps without this dependency. */
  void childRevived() {
    waived = outcome == DependencyOutcome.WAIVED;
  }

  /** The batch of the parent runs again: its copy counts from now on. */
  void moveTo(UUID copy) {
    parent = copy;
    satisfied = false;
    failed = outcome == DependencyOutcome.FAILED;
  }

  /**
   * The outcome that the dependency must have when everything has been propagated.
   *
   * @param task the parent, which counts now
   * @param current true when the parent belongs to the current run of its batch
   */
  @Nullable DependencyOutcome expected(Task task, boolean current) {
    if (waived) {
      return DependencyOutcome.WAIVED;
    }
    if (!required) {
      return satisfied ? outcome == null ? DependencyOutcome.FAILED : outcome : null;
    }
    if (task.state() == TaskState.SUCCESS) {
      return DependencyOutcome.SUCCEEDED;
    }
    return hasFailed(task, current) ? DependencyOutcome.FAILED : null;
  }

  /** A task that will fail because of its own parents counts as failed already. */
  private static boolean hasFailed(Task task, boolean current) {
    return (current && isUpToItsParents(task))
        ? task.dependencies().failed() > 0
        : task.state().isTerminal();
  }

  /** Returns whether the task waits for its own parents, or has failed because of them. */
  static boolean isUpToItsParents(Task task) {
    return task.state() == TaskState.WAITING
        || task.lastResult().giveUpReason() == TaskGiveUpReason.UPSTREAM_FAILED;
  }

  boolean isSatisfied() {
    return satisfied || waived;
  }

  /** Returns whether the parent had to succeed and has failed, or is about to. */
  boolean hasFailed() {
    return required && !waived && failed;
  }

  UUID parent() {
    return parent;
  }

  UUID child() {
    return child;
  }

  boolean required() {
    return required;
  }

  boolean deferred() {
    return deferred;
  }

  /** Returns the outcome that the store had when it was last compared. */
  @Nullable DependencyOutcome outcome() {
    return outcome;
  }

  void outcome(@Nullable DependencyOutcome value) {
    outcome = value;
    failed = value == DependencyOutcome.FAILED;
  }

  @Override
  public String toString() {
    return "%s after %s%s%s"
        .formatted(
            Trace.shortId(child),
            Trace.shortId(parent),
            required ? "" : " even if it failed",
            deferred ? " when its batch is final" : "");
  }
}
