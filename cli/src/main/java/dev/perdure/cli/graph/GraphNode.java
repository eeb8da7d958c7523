// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.graph;

import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A node of a graph: a task, several similar tasks, or a task of another batch.
 *
 * @param task empty for a task of another batch
 * @param size how many tasks it stands for; if more than one, {@code task} is the first of them
 * @param parents the parents' positions in the list of nodes, and whether success is required
 */
public record GraphNode(UUID id, Optional<TaskInfo> task, int size, Map<Integer, Boolean> parents) {

  /** What people call it. */
  public String label() {
    if (size > 1) {
      return String.format(Locale.ROOT, "… %,d more", size);
    }
    return task.map(GraphNode::label).orElse("outside");
  }

  /** The task's name, its local id, or its kind. */
  public static String label(TaskInfo task) {
    return Stream.of(Optional.ofNullable(task.name()), Optional.ofNullable(task.localId()))
        .flatMap(Optional::stream)
        .filter(text -> !text.isBlank())
        .findFirst()
        .orElse(task.kind());
  }

  public TaskStatus status() {
    return task.map(TaskInfo::status).orElse(TaskStatus.UNKNOWN);
  }
}
