// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.store.Statistics;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskSort;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
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

/** Shows the retries that wait, and how retries went. */
final class RetryRoutes {

  private static final List<String> KNOWN =
      Stream.concat(Stream.of("within", "kind", "strategy"), PageQuery.NAMES.stream()).toList();
  private static final List<String> STRATEGIES =
      List.of("immediate", "fixed", "linear", "exponential", "schedule", "ladder");

  private final Engine engine;
  private final Listing listing;
  private final TaskLimits limits;

  RetryRoutes(Engine engine, TaskLimits limits) {
    this.engine = engine;
    this.listing = new Listing(engine.tasks());
    this.limits = limits;
  }

  /** The next one first. */
  Response list(Request request) {
    QueryForm form = QueryForm.of(request.query(), KNOWN);
    TaskFilter filter =
        TaskFilter.in(TaskState.RETRY_PENDING)
            .withKind(form.text("kind"))
            .withStrategy(form.word("strategy", STRATEGIES))
            .withDueWithin(form.length("within"));
    PageQuery page = PageQuery.of(form, TaskSort.NEXT_RETRY, limits);
    form.requireRight();
    return listing.answer(request, filter, page, RetryRoutes::shown);
  }

  private static JsonNode shown(TaskRow task) {
    StepPlace place = StepPlace.of(task);
    return TaskJson.row(task)
        .put("current_step", place.step())
        .put("steps", place.steps())
        .put("attempts_in_step", place.attempt())
        .put("total_attempts", task.counting().attempt());
  }

  Response statistics(Request request) {
    Statistics found = engine.statistics();
    long pending = found.byState().getOrDefault(TaskState.RETRY_PENDING, 0L);
    Duration average = found.averageDelay();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("pending", pending)
            .put("due", pending - found.waiting())
            .put("exhausted", found.exhausted())
            .put("success_rate", found.successRate())
            .put("average_delay_ms", average == null ? null : (Long) average.toMillis());
    counts(json.putObject("by_kind"), found.retriesByKind());
    counts(json.putObject("by_strategy"), found.retriesByStrategy());
    return Response.ok(json);
  }

  private static void counts(ObjectNode json, Map<String, Long> counts) {
    new TreeMap<>(counts).forEach(json::put);
  }
}
