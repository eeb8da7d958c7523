// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.HoldFlags;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.engine.task.TaskState;
import dev.perdure.server.http.JsonBody;
import dev.perdure.server.http.QueryParameters;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a list is asked for. */
record TaskQuery(TaskFilter filter, PageQuery page) {

  /** What tasks can be told apart by. */
  static final List<String> FILTERS =
      List.of(
          "status",
          "kind",
          "name",
          "batch_id",
          "metadata",
          "failure_kind",
          "give_up_reason",
          "created_after",
          "created_before",
          "q");

  private static final List<String> PARAMETERS =
      Stream.of(FILTERS, List.of("sort"), PageQuery.PARAMETERS).flatMap(List::stream).toList();

  private static final String PAUSED = "Paused";
  private static final List<String> STATUSES =
      Stream.concat(Stream.of(TaskState.values()).map(TaskState::title), Stream.of(PAUSED))
          .toList();

  private static final List<String> REASONS =
      Stream.of(TaskGiveUpReason.values()).map(TaskGiveUpReason::text).toList();

  /** As they are asked for; the first unless another is. */
  private static final Map<String, TaskSort> SORTS = new LinkedHashMap<>();

  static {
    SORTS.put("-created_at", TaskSort.NEWEST);
    SORTS.put("created_at", TaskSort.OLDEST);
    SORTS.put("next_retry_at", TaskSort.NEXT_RETRY);
    SORTS.put("-ended_at", TaskSort.LAST_ENDED);
  }

  private static final int MAX_SEARCH_LENGTH = 255;
  private static final int MAX_METADATA_FIELDS = 20;

  /** Throws InvalidPolicyException with all problems. */
  static TaskQuery of(QueryParameters parameters, ApiLimits limits) {
    QueryReader form = QueryReader.of(parameters, PARAMETERS);
    TaskFilter filter = filter(form);
    String order = form.oneOf("sort", List.copyOf(SORTS.keySet()));
    TaskSort sort = order == null ? TaskSort.NEWEST : SORTS.getOrDefault(order, TaskSort.NEWEST);
    TaskQuery read =
        new TaskQuery(requireSortable(form, filter, sort), PageQuery.of(form, sort, limits));
    form.requireValid();
    return read;
  }

  /** The filter alone; throws InvalidPolicyException with all problems. */
  static TaskFilter filter(QueryParameters parameters) {
    QueryReader form = QueryReader.of(parameters, FILTERS);
    TaskFilter filter = filter(form);
    form.requireValid();
    return filter;
  }

  /** An order by an instant means the tasks that have it. */
  private static TaskFilter requireSortable(QueryReader form, TaskFilter filter, TaskSort sort) {
    if (filter.batch() != null && !sort.isWithinBatch()) {
      form.addProblem("sort", "cannot stand beside 'batch_id': a batch is sorted by created_at");
    }
    Set<TaskState> states = sortableStates(filter, sort);
    if (!sort.states().containsAll(states)) {
      form.addProblem(
          "sort",
          "only tasks that are %s have it: leave the other statuses out"
              .formatted(
                  String.join(
                      ", ", sort.states().stream().sorted().map(TaskState::title).toList())));
    }
    return states.isEmpty() && !sort.isWithinBatch()
        ? filter.withStates(sort.states())
        : filter.withStates(states);
  }

  /** Paused tasks may have any state in which they live: then those that the order knows. */
  private static Set<TaskState> sortableStates(TaskFilter filter, TaskSort sort) {
    Set<TaskState> ordered = new TreeSet<>(filter.states());
    ordered.retainAll(sort.states());
    return filter.hold() == 0 || ordered.isEmpty() ? filter.states() : ordered;
  }

  private static TaskFilter filter(QueryReader form) {
    Set<String> statuses = statuses(form);
    String reason = form.oneOf("give_up_reason", REASONS);
    return TaskFilter.all()
        .withStates(states(statuses))
        .withHold(statuses.contains(PAUSED) ? HoldFlags.PAUSED : 0)
        .withKind(form.text("kind"))
        .withNameContains(form.text("name"))
        .withText(searchText(form))
        .withMetadata(metadata(form))
        .withBatch(form.id("batch_id"))
        .withFailureKind(form.text("failure_kind"))
        .withGiveUpReason(reason == null ? null : TaskGiveUpReason.of(reason).orElseThrow())
        .withCreatedAfter(form.instant("created_after"))
        .withCreatedBefore(form.instant("created_before"));
  }

  private static Set<String> statuses(QueryReader form) {
    Set<String> found = new TreeSet<>();
    String text = form.text("status");
    for (String word : text == null ? new String[0] : text.split(",", -1)) {
      String status = form.matchOneOf("status", word, STATUSES);
      if (status != null) {
        found.add(status);
      }
    }
    if (found.contains(PAUSED) && found.size() > 1) {
      form.addProblem("status", "Paused cannot be asked for together with others");
    }
    return found;
  }

  private static Set<TaskState> states(Set<String> names) {
    Set<TaskState> states = EnumSet.noneOf(TaskState.class);
    Stream.of(TaskState.values())
        .filter(
            state -> names.contains(state.title()) || (names.contains(PAUSED) && state.isLive()))
        .forEach(states::add);
    return states;
  }

  private static @Nullable String searchText(QueryReader form) {
    String text = form.text("q");
    if (text != null && text.length() > MAX_SEARCH_LENGTH) {
      form.addProblem("q", "must have at most %d characters".formatted(MAX_SEARCH_LENGTH));
      return null;
    }
    return text;
  }

  /** Fields and the values they must have, as a JSON object: so a number is not a text. */
  private static Map<String, JsonNode> metadata(QueryReader form) {
    String text = form.text("metadata");
    JsonNode json = text == null ? null : JsonBody.parseOrNull(text);
    boolean right =
        json != null && json.isObject() && !json.isEmpty() && json.size() <= MAX_METADATA_FIELDS;
    if (text != null && !right) {
      form.addProblem(
          "metadata",
          "must be a JSON object of 1 to %d fields, such as {\"customer\": 42}"
              .formatted(MAX_METADATA_FIELDS));
      return Map.of();
    }
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    if (json != null) {
      json.propertyStream().forEach(field -> fields.put(field.getKey(), field.getValue()));
    }
    return fields;
  }
}
