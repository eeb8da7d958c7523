// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.TaskDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Tasks that are submitted when a batch is final, as the store keeps them. */
public final class FollowUpTasks {

  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * A task to submit.
   *
   * @param on the outcome that it is submitted for; null means any
   */
  public record FollowUp(@Nullable BatchOutcome on, TaskDefinition task) {}

  private FollowUpTasks() {}

  public static @Nullable String write(List<FollowUp> tasks) {
    return tasks.isEmpty() ? null : JSON.writeValueAsString(tasks.toArray(FollowUp[]::new));
  }

  /** The tasks to submit for this outcome. */
  public static List<TaskDefinition> read(@Nullable String text, BatchOutcome outcome) {
    return text == null
        ? List.of()
        : List.of(JSON.readValue(text, FollowUp[].class)).stream()
            .filter(task -> task.on() == null || task.on() == outcome)
            .map(FollowUp::task)
            .toList();
  }
}
