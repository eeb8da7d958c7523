// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.ScanLimit;
import dev.perdure.engine.query.TaskCount;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskPage;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.ErrorFingerprint;
import dev.perdure.engine.task.TaskRow;
import dev.perdure.engine.task.TaskState;
import dev.perdure.policy.Failure;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Counts the tasks of a list by status, and its newest ones by kind and error, so that people see
 * what to filter by next. Each count looks at a bounded number of tasks.
 */
final class FacetRoute {

  private static final int MAX_VALUES = 20;
  private static final int MAX_KINDS = 100;

  /** All counts and the page together look at about as many tasks as two lists. */
  private static final ScanLimit LIMIT = ScanLimit.DEFAULT.dividedBy(5);

  private final Engine engine;

  FacetRoute(Engine engine) {
    this.engine = engine;
  }

  Response show(Request request) {
    TaskFilter filter = TaskQuery.filter(request.query());
    TaskPage newest = newest(filter);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    boolean complete = newest.nextCursor() == null;
    json.put("looked_at", newest.lookedAt() == null ? newest.tasks().size() : newest.lookedAt());
    json.put("complete", false);
    ObjectNode statuses = json.putObject("status");
    for (DisplayStatus status : statuses(filter)) {
      TaskCount count =
          engine.tasks().count(filter.withStatuses(Set.of(status)), PageQuery.MAX_COUNTED, LIMIT);
      complete &= count.exact();
      if (count.tasks() > 0) {
        statuses.put(status.toString(), count.tasks());
      }
    }
    values(json.putArray("kind"), tally(newest.tasks().stream().map(row -> row.header().kind())));
    errors(json.putArray("error"), newest.tasks());
    return Response.ok(json.put("complete", complete));
  }

  private TaskPage newest(TaskFilter filter) {
    return engine
        .tasks()
        .list(filter, PageRequest.first(PageRequest.MAX_SIZE).withScanLimit(LIMIT));
  }

  private static List<DisplayStatus> statuses(TaskFilter filter) {
    return Stream.of(DisplayStatus.values())
        .filter(status -> filter.statuses().isEmpty() || filter.statuses().contains(status))
        .toList();
  }

  private static Map<String, Long> tally(Stream<String> values) {
    Map<String, Long> counts = new HashMap<>();
    values.forEach(value -> counts.merge(value, 1L, Long::sum));
    return counts;
  }

  private static Stream<Map.Entry<String, Long>> largest(Map<String, Long> counts, int max) {
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(max);
  }

  private static void values(ArrayNode json, Map<String, Long> counts) {
    largest(counts, MAX_VALUES)
        .forEach(
            entry -> json.addObject().put("value", entry.getKey()).put("count", entry.getValue()));
  }

  private static void errors(ArrayNode json, List<TaskRow> tasks) {
    Map<String, String> titles = new HashMap<>();
    Map<String, Long> counts = new HashMap<>();
    for (TaskRow task : tasks) {
      String error = task.failure().error();
      if (error != null) {
        counts.merge(error, 1L, Long::sum);
        titles.computeIfAbsent(error, id -> title(task.failure()));
      }
    }
    largest(counts, MAX_VALUES)
        .forEach(
            entry ->
                json.addObject()
                    .put("value", entry.getKey())
                    .put("title", titles.get(entry.getKey()))
                    .put("count", entry.getValue()));
  }

  static String title(TaskRow.LastFailure failure) {
    return failure.kind() == null && failure.giveUpReason() != null
        ? ErrorFingerprint.of(failure.giveUpReason()).title()
        : ErrorFingerprint.of(
                failure.kind(), Failure.NO_STATUS, failure.code(), failure.reason(), List.of())
            .title();
  }

  /** Lists kinds that contain the text, those with the most tasks first. */
  Response kinds(Request request) {
    QueryReader query = QueryReader.of(request.query(), List.of("q"));
    String text = query.text("q");
    query.requireValid();
    String part = text == null ? "" : text.toLowerCase(Locale.ROOT);
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    largest(kinds(), Integer.MAX_VALUE)
        .map(Map.Entry::getKey)
        .filter(kind -> kind.toLowerCase(Locale.ROOT).contains(part))
        .limit(MAX_KINDS)
        .forEach(json::add);
    return Response.ok(json);
  }

  /**
   * The kinds of the newest tasks, and of those that wait, wait for a retry or failed. A history of
   * kinds would be added here.
   */
  private Map<String, Long> kinds() {
    return tally(
        Stream.of(
                newest(TaskFilter.all()),
                newest(TaskFilter.in(DisplayStatus.FAILURE)),
                newest(TaskFilter.in(DisplayStatus.WAITING, DisplayStatus.PAUSED)),
                engine
                    .tasks()
                    .list(
                        TaskFilter.in(TaskState.RETRY_PENDING),
                        TaskSort.NEXT_RETRY,
                        PageRequest.first(PageRequest.MAX_SIZE)))
            .flatMap(page -> page.tasks().stream())
            .map(task -> task.header().kind()));
  }
}
