// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.task.Dependency;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows the tasks of a run of a batch, the current one by default, and what they depend on. */
final class GraphRoute {

  static final int MAX_TASKS = 10_000;
  static final int MAX_LINKS = 100_000;

  /** A change can be stored a little after the instant that it carries. */
  private static final Duration OVERLAP = Duration.ofSeconds(10);

  /** No run is given. */
  private static final int CURRENT = -1;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Engine engine;

  GraphRoute(Engine engine) {
    this.engine = engine;
  }

  Response show(Request request) {
    QueryReader query = QueryReader.of(request.query(), List.of("run", "links", "since"));
    boolean indexed = query.oneOf("links", List.of("index")) != null;
    Instant since = query.instant("since");
    long wanted = query.integer("run", CURRENT, 0, Integer.MAX_VALUE);
    query.requireValid();
    UUID batch = BatchRoutes.id(request);
    int current = engine.batches().currentRun(batch).orElseThrow(() -> BatchRoutes.unknown(batch));
    if (wanted > current) {
      throw HttpProblemException.notFound("batch %s has no run %d".formatted(batch, wanted));
    }
    int run = wanted == CURRENT ? current : (int) wanted;
    List<TaskRow> tasks = tasks(batch, run);
    Map<UUID, Integer> indexes = new HashMap<>();
    tasks.forEach(task -> indexes.put(task.id(), indexes.size()));
    List<Dependency> found = engine.batches().dependencies(batch, run, MAX_LINKS + 1);
    List<Dependency> links =
        found.stream()
            .limit(MAX_LINKS)
            .filter(dependency -> indexes.containsKey(dependency.child()))
            .toList();
    ObjectNode json =
        NODES.objectNode().put("shape", GraphShape.digest(tasks, links, indexes)).put("run", run);
    ArrayNode rows = json.putArray("tasks");
    tasks.stream()
        .filter(task -> hasChanged(task, since))
        .forEach(task -> rows.add(indexed ? node(task) : TaskJson.row(task)));
    ArrayNode shown = json.putArray("links");
    if (since == null) {
      links.forEach(link -> add(shown, link, indexed ? indexes : null));
    }
    return Response.ok(json.put("truncated", found.size() > MAX_LINKS));
  }

  private List<TaskRow> tasks(UUID batch, int run) {
    List<TaskRow> tasks = new ArrayList<>();
    TaskFilter filter = TaskFilter.all().withBatch(batch).withRun(run);
    boolean more = BatchTasks.forEach(engine.tasks(), filter, MAX_TASKS, tasks::add);
    if (more || tasks.size() > MAX_TASKS) {
      throw HttpProblemException.of(
          HttpStatus.CONTENT_TOO_LARGE,
          "batch %s has more than the %d tasks that a graph can have; list them with GET /task?batch_id=%s"
              .formatted(batch, MAX_TASKS, batch));
    }
    return tasks;
  }

  private static boolean hasChanged(TaskRow task, @Nullable Instant since) {
    return since == null || !task.times().updatedAt().isBefore(since.minus(OVERLAP));
  }

  /** A task as the drawing needs it. */
  private static ObjectNode node(TaskRow task) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("id", task.id().toString())
            .put("local_id", task.header().localId())
            .put("name", task.header().name())
            .put("kind", task.header().kind())
            .put("status", task.status().toString())
            .put("attempt", task.retryCounters().attempt())
            .put("next_retry_at", InstantText.of(task.nextRetryAt()))
            .put("started_at", InstantText.of(task.times().startedAt()))
            .put("ended_at", InstantText.of(task.times().endedAt()));
    json.set("place", TaskJson.place(task.place()));
    return json;
  }

  /** By index, a link from a task of another batch is left out. */
  private static void add(ArrayNode links, Dependency link, @Nullable Map<UUID, Integer> indexes) {
    if (indexes == null) {
      links
          .addObject()
          .put("parent_id", link.parent().toString())
          .put("child_id", link.child().toString())
          .put("requires_success", link.requiresSuccess());
      return;
    }
    Integer parent = indexes.get(link.parent());
    Integer child = indexes.get(link.child());
    if (parent != null && child != null) {
      links.addArray().add(parent).add(child).add(link.requiresSuccess() ? 1 : 0);
    }
  }
}
