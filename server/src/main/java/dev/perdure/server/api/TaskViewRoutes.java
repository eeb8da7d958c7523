// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.TaskPlanner;
import dev.perdure.engine.query.AttemptRow;
import dev.perdure.engine.query.TaskRelations;
import dev.perdure.engine.task.Task;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.InstantText;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows one task, its attempts and its plan. */
final class TaskViewRoutes {

  private static final int MAX_DEPENDENCIES_SHOWN = 1_000;
  private static final int MAX_ATTEMPTS_SHOWN = 100;

  /** No epoch is as large. */
  private static final long MAX_EPOCH = 999_999_999_999_999_999L;

  private final Engine engine;
  private final ApiLimits limits;

  TaskViewRoutes(Engine engine, ApiLimits limits) {
    this.engine = engine;
    this.limits = limits;
  }

  Response show(Request request) {
    Task task = find(engine, TaskRoutes.id(request));
    TaskRelations relations = engine.tasks().relations(task.id());
    Instant now = engine.now();
    ObjectNode json = TaskJson.of(task).put("now", InstantText.of(now));
    json.set(
        "allowed",
        new AllowedActions(request.caller(), now).of(task.row(), isOfCurrentRun(engine, task)));
    json.set(
        "dependencies",
        TaskJson.dependencies(engine.batches().parents(task.id(), MAX_DEPENDENCIES_SHOWN)));
    json.putObject("depends_on")
        .put("count", relations.parents())
        .put("unmet", task.dependencies().unmet());
    json.put("needed_by", relations.children())
        .put("schedule_id", relations.schedule() == null ? null : relations.schedule().toString())
        .put("attempts_total", relations.attempts());
    List<AttemptRow> attempts =
        engine.tasks().attemptRows(task.id(), MAX_EPOCH, MAX_ATTEMPTS_SHOWN);
    json.set("attempts", AttemptJson.rows(attempts.reversed()));
    json.set("blocked_by", blockedBy(task, now));
    return Response.ok(json);
  }

  /** Only an ended task can belong to an earlier run. */
  private static boolean isOfCurrentRun(Engine engine, Task task) {
    return task.state().isLive()
        || task.run() >= engine.batches().currentRun(task.batch()).orElse(task.run());
  }

  /** The limit that keeps the task from starting; JSON null when none does. */
  private JsonNode blockedBy(Task task, Instant now) {
    Long expected = task.row().progress().expected();
    long items = expected == null ? 0 : expected;
    return Optional.of(task)
        .filter(one -> one.state().isClaimable())
        .flatMap(one -> engine.limits().waitOf(one.id()))
        .filter(wait -> wait.holds(items, now))
        .<JsonNode>map(LimitJson::blockedBy)
        .orElse(JsonNodeFactory.instance.nullNode());
  }

  /** A page of attempts without stack traces, newest first. */
  Response attempts(Request request) {
    QueryReader query = QueryReader.of(request.query(), List.of("page_size", "before"));
    int pageSize = query.pageSize(limits, MAX_ATTEMPTS_SHOWN);
    long before = query.integer("before", MAX_EPOCH, 0, MAX_EPOCH);
    query.requireValid();
    UUID id = find(engine, TaskRoutes.id(request)).id();
    List<AttemptRow> found = engine.tasks().attemptRows(id, before, pageSize + 1);
    List<AttemptRow> page = found.subList(0, Math.min(found.size(), pageSize));
    Response response = Response.ok(AttemptJson.rows(page));
    return found.size() > page.size()
        ? response.withHeader("Link", LinkHeader.before(request, page.getLast().attempt().epoch()))
        : response;
  }

  /** One attempt with its stack trace and its result. */
  Response attempt(Request request) {
    UUID id = find(engine, TaskRoutes.id(request)).id();
    String epoch = request.pathVariable("epoch");
    return parsed(epoch)
        .flatMap(number -> engine.tasks().attempt(id, number))
        .map(attempt -> Response.ok(AttemptJson.of(attempt)))
        .orElseThrow(
            () ->
                HttpProblemException.notFound(
                    "task %s has no ended attempt with the epoch '%s'"
                        .formatted(id, FieldError.sanitize(epoch))));
  }

  /** The attempts that are still to come. */
  Response plan(Request request) {
    Task task = find(engine, TaskRoutes.id(request));
    List<AttemptRow> newest =
        engine.tasks().attemptRows(task.id(), MAX_EPOCH, TaskPlanner.ATTEMPTS_NEEDED);
    String given = task.definition().policyAsGiven();
    return Response.ok(
        TaskPlanJson.of(
            TaskPlanner.plan(task, newest, engine.now()),
            given == null ? task.definition().policy() : given));
  }

  private static Optional<Long> parsed(String epoch) {
    try {
      return Optional.of(Long.parseLong(epoch));
    } catch (NumberFormatException notANumber) {
      return Optional.empty();
    }
  }

  /** The task, or a 404. */
  static Task find(Engine engine, UUID id) {
    return engine
        .find(id)
        .orElseThrow(() -> HttpProblemException.notFound("there is no task " + id));
  }
}
