// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskDefinition;
import dev.perdure.engine.task.TaskState;
import dev.perdure.engine.task.TaskTimes;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows that differ from their predecessor only in what a write was to change. */
final class ExpectedRows {

  private ExpectedRows() {}

  static Task with(
      Task task,
      TaskDefinition definition,
      TaskState state,
      Set<HoldReason> hold,
      TaskTimes times,
      DependencyCounts dependencies) {
    return new Task(
        task.id(),
        task.batch(),
        task.run(),
        definition,
        state,
        hold,
        task.epoch(),
        task.worker(),
        task.handleEpoch(),
        task.cancelAction(),
        task.retryCounters(),
        times,
        task.progress(),
        task.lastResult(),
        dependencies);
  }

  /**
   * The task with other rules, which also say whether it has limits at all.
   *
   * @param limitedKind whether its kind has limits
   */
  static Task withRules(Task task, @Nullable String rules, boolean limitedKind) {
    TaskDefinition old = task.definition();
    boolean limited = limitedKind || !LimitRules.of(rules, old.kind(), old.metadata()).isEmpty();
    Task changed =
        with(
            task,
            definition(old, old, rules),
            task.state(),
            task.hold(),
            task.times(),
            task.dependencies());
    return withLimited(changed, limited);
  }

  /** The task that has limits, or has none. */
  static Task withLimited(Task task, boolean limited) {
    Set<HoldReason> hold = new HashSet<>(task.hold());
    hold.remove(HoldReason.LIMITED);
    if (limited) {
      hold.add(HoldReason.LIMITED);
    }
    return with(task, task.definition(), task.state(), hold, task.times(), task.dependencies());
  }

  /** The task with the payload and the policy of a duplicate. */
  static Task replaced(Task task, TaskDefinition by, Instant due, Instant now) {
    return with(
        task,
        definition(task.definition(), by, task.definition().rules()),
        task.state(),
        task.hold(),
        new TaskTimes(task.times().createdAt(), due, due, null, null, now),
        task.dependencies());
  }

  /**
   * A definition with other rules.
   *
   * @param by has the payload and the policy
   */
  static TaskDefinition definition(TaskDefinition task, TaskDefinition by, @Nullable String rules) {
    return new TaskDefinition(
        task.kind(),
        task.name(),
        by.payload(),
        task.metadata(),
        by.policy(),
        by.policyAsGiven(),
        by.strategy(),
        task.timeout(),
        task.deadline(),
        task.priority(),
        task.idempotencyKey(),
        task.localId(),
        task.queue(),
        task.actions(),
        task.trace(),
        rules,
        task.dedupeKey());
  }
}
