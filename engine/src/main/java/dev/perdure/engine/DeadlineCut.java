// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.TaskGiveUpReason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a plan at the deadline of the task, when the task fails whatever its policy says. */
final class DeadlineCut {

  private DeadlineCut() {}

  static TaskPlan apply(TaskPlan plan, @Nullable Instant deadline, Instant now) {
    if (deadline == null) {
      return plan;
    }
    List<TaskPlan.Coming> before =
        plan.coming().stream()
            .filter(attempt -> attempt.earliest().isBefore(deadline))
            .map(attempt -> cut(attempt, deadline))
            .toList();
    TaskPlan.End end = plan.end();
    boolean cuts =
        before.size() < plan.coming().size() || (end != null && end.latest().isAfter(deadline));
    if (!cuts) {
      return plan;
    }
    long last = before.isEmpty() ? 0 : before.getLast().attempt();
    Instant earliest = end == null || end.earliest().isAfter(deadline) ? deadline : end.earliest();
    Instant latest = deadline.isBefore(now) ? now : deadline;
    return new TaskPlan(
        plan.why(),
        before,
        new TaskPlan.End(TaskGiveUpReason.EXPIRED.text(), last, earliest, latest),
        false);
  }

  private static TaskPlan.Coming cut(TaskPlan.Coming attempt, Instant deadline) {
    Instant latest = attempt.latest();
    Instant at = attempt.at();
    return new TaskPlan.Coming(
        attempt.attempt(),
        at != null && at.isAfter(deadline) ? deadline : at,
        attempt.earliest(),
        latest != null && latest.isAfter(deadline) ? deadline : latest,
        attempt.drawn(),
        attempt.step());
  }
}
