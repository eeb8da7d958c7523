// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The tasks of a batch's current run and the dependencies between them.
 *
 * @param links may name tasks of other batches, which are not in {@code tasks}
 * @param truncated whether the server left out tasks or dependencies, because there are too many
 */
public record BatchGraph(List<TaskInfo> tasks, List<DependencyInfo> links, boolean truncated) {

  public BatchGraph {
    tasks = List.copyOf(tasks);
    links = List.copyOf(links);
  }

  /** Reads the server's JSON. */
  public static BatchGraph of(JsonNode json) {
    JsonFields graph = new JsonFields(json);
    graph.required("tasks", graph::node);
    return new BatchGraph(
        graph.list("tasks", TaskInfo::of),
        graph.list("links", DependencyInfo::of),
        graph.flag("truncated"));
  }
}
