// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static java.util.Objects.requireNonNull;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.LadderPosition;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lists waiting retries and shows retry statistics. */
final class RetryRoutes {

  private static final List<String> PARAMETERS =
      Stream.concat(Stream.of("within", "kind", "strategy"), PageQuery.PARAMETERS.stream())
          .toList();
  private static final List<String> STRATEGIES =
      List.of("immediate", "fixed", "linear", "exponential", "schedule", "ladder");

  private final Engine engine;
  private final TaskListResponder taskList;
  private final ApiLimits limits;

  RetryRoutes(Engine engine, ApiLimits limits) {
    this.engine = engine;
    this.taskList = new TaskListResponder(engine.tasks());
    this.limits = limits;
  }

  /** Lists waiting retries, the next one first. */
  Response list(Request request) {
    QueryReader query = QueryReader.of(request.query(), PARAMETERS);
    TaskFilter filter =
        TaskQuery.withKind(TaskFilter.in(TaskState.RETRY_PENDING), query.text("kind"))
            .withStrategy(query.oneOf("strategy", STRATEGIES))
            .withDueWithin(query.duration("within"));
    PageQuery page = PageQuery.of(query, TaskSort.NEXT_RETRY, limits);
    query.requireValid();
    AllowedActions allowed = new AllowedActions(request.caller(), engine.now());
    return taskList.respond(request, filter, page, task -> toJson(task, allowed));
  }

  private static JsonNode toJson(TaskRow task, AllowedActions allowed) {
    LadderPosition position = requireNonNull(task.ladderPosition(), "a waiting retry has one");
    ObjectNode row = TaskJson.row(task);
    row.set("allowed", allowed.of(task));
    return row.put("current_step", position.step())
        .put("steps", position.steps())
        .put("attempts_in_step", position.retry())
        .put("total_attempts", task.retryCounters().attempt());
  }

  Response statistics(Request request) {
    StoreStatistics statistics = engine.statistics();
    long pending = statistics.byState().getOrDefault(TaskState.RETRY_PENDING, 0L);
    Duration average = statistics.averageDelay();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("pending", pending)
            .put("due", pending - statistics.retriesPending())
            .put("exhausted", statistics.exhausted())
            .put("success_rate", statistics.successRate())
            .put("average_delay_ms", average == null ? null : (Long) average.toMillis());
    counts(json.putObject("by_kind"), statistics.retriesByKind());
    counts(json.putObject("by_strategy"), statistics.retriesByStrategy());
    return Response.ok(json);
  }

  private static void counts(ObjectNode json, Map<String, Long> counts) {
    new TreeMap<>(counts).forEach(json::put);
  }
}
