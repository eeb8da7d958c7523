// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.Dependency;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shows the tasks of a batch and what they depend on. Of a very large batch it shows the first
 * tasks, parents before their children, with all their dependencies.
 */
final class GraphRoute {

  static final int MAX_TASKS = 10_000;
  static final int MAX_LINKS = 100_000;

  private final Engine engine;

  GraphRoute(Engine engine) {
    this.engine = engine;
  }

  Response show(Request request) {
    UUID batch = BatchRoutes.id(request);
    int run = engine.batches().currentRun(batch).orElseThrow(() -> BatchRoutes.unknown(batch));
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode tasks = json.putArray("tasks");
    Set<UUID> shown = new HashSet<>();
    boolean moreTasks =
        BatchTasks.forEach(
            engine.tasks(),
            TaskFilter.all().withBatch(batch).withRun(run),
            MAX_TASKS,
            task -> {
              tasks.add(TaskJson.row(task));
              shown.add(task.id());
            });
    List<Dependency> dependencies = engine.batches().dependencies(batch, MAX_LINKS + 1);
    ArrayNode links = json.putArray("links");
    dependencies.stream()
        .limit(MAX_LINKS)
        .filter(dependency -> shown.contains(dependency.child()))
        .forEach(dependency -> addLink(links, dependency));
    return Response.ok(json.put("truncated", moreTasks || dependencies.size() > MAX_LINKS));
  }

  private static void addLink(ArrayNode links, Dependency dependency) {
    links
        .addObject()
        .put("parent_id", dependency.parent().toString())
        .put("child_id", dependency.child().toString())
        .put("requires_success", dependency.requiresSuccess());
  }
}
