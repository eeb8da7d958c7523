// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskSort;
import dev.perdure.engine.task.EndReason;
import dev.perdure.engine.task.Hold;
import dev.perdure.engine.task.TaskState;
import dev.perdure.server.http.JsonBody;
import dev.perdure.server.http.Query;
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

  private static final List<String> KNOWN =
      Stream.of(FILTERS, List.of("sort"), PageQuery.NAMES).flatMap(List::stream).toList();

  private static final String PAUSED = "Paused";
  private static final List<String> STATUSES =
      Stream.concat(Stream.of(TaskState.values()).map(TaskState::title), Stream.of(PAUSED))
          .toList();

  private static final List<String> REASONS =
      Stream.of(EndReason.values()).map(EndReason::text).toList();

  /** As they are asked for; the first unless another is. */
  private static final Map<String, TaskSort> SORTS = new LinkedHashMap<>();

  static {
    SORTS.put("-created_at", TaskSort.NEWEST);
    SORTS.put("created_at", TaskSort.OLDEST);
    SORTS.put("next_retry_at", TaskSort.NEXT_RETRY);
    SORTS.put("-ended_at", TaskSort.LAST_ENDED);
  }

  private static final int MOST_SEARCHED = 255;
  private static final int MOST_FIELDS = 20;

  /** Throws InvalidPolicyException with all problems. */
  static TaskQuery of(Query query, TaskLimits limits) {
    QueryForm form = QueryForm.of(query, KNOWN);
    TaskFilter filter = filter(form);
    String order = form.word("sort", List.copyOf(SORTS.keySet()));
    TaskSort sort = order == null ? TaskSort.NEWEST : SORTS.getOrDefault(order, TaskSort.NEWEST);
    TaskQuery read = new TaskQuery(sorted(form, filter, sort), PageQuery.of(form, sort, limits));
    form.requireRight();
    return read;
  }

  /** The filter alone; throws InvalidPolicyException with all problems. */
  static TaskFilter filter(Query query) {
    QueryForm form = QueryForm.of(query, FILTERS);
    TaskFilter filter = filter(form);
    form.requireRight();
    return filter;
  }

  /** An order by an instant means the tasks that have it. */
  private static TaskFilter sorted(QueryForm form, TaskFilter filter, TaskSort sort) {
    if (filter.batch() != null && !sort.isWithinBatch()) {
      form.wrong("sort", "cannot stand beside 'batch_id': a batch is sorted by created_at");
    }
    Set<TaskState> states = wanted(filter, sort);
    if (!sort.states().containsAll(states)) {
      form.wrong(
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
  private static Set<TaskState> wanted(TaskFilter filter, TaskSort sort) {
    Set<TaskState> ordered = new TreeSet<>(filter.states());
    ordered.retainAll(sort.states());
    return filter.hold() == 0 || ordered.isEmpty() ? filter.states() : ordered;
  }

  private static TaskFilter filter(QueryForm form) {
    Set<String> statuses = statuses(form);
    String reason = form.word("give_up_reason", REASONS);
    return TaskFilter.all()
        .withStates(states(statuses))
        .withHold(statuses.contains(PAUSED) ? Hold.PAUSED : 0)
        .withKind(form.text("kind"))
        .withNameContains(form.text("name"))
        .withAnywhere(searched(form))
        .withMetadata(metadata(form))
        .withBatch(form.id("batch_id"))
        .withFailureKind(form.text("failure_kind"))
        .withGiveUpReason(reason == null ? null : EndReason.of(reason).orElseThrow())
        .withCreatedAfter(form.instant("created_after"))
        .withCreatedBefore(form.instant("created_before"));
  }

  private static Set<String> statuses(QueryForm form) {
    Set<String> found = new TreeSet<>();
    String text = form.text("status");
    for (String word : text == null ? new String[0] : text.split(",", -1)) {
      String status = form.known("status", word, STATUSES);
      if (status != null) {
        found.add(status);
      }
    }
    if (found.contains(PAUSED) && found.size() > 1) {
      form.wrong("status", "Paused cannot be asked for together with others");
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

  private static @Nullable String searched(QueryForm form) {
    String text = form.text("q");
    if (text != null && text.length() > MOST_SEARCHED) {
      form.wrong("q", "must have at most %d characters".formatted(MOST_SEARCHED));
      return null;
    }
    return text;
  }

  /** Fields and the values they must have, as a JSON object: so a number is not a text. */
  private static Map<String, JsonNode> metadata(QueryForm form) {
    String text = form.text("metadata");
    JsonNode json = text == null ? null : JsonBody.read(text);
    boolean right =
        json != null && json.isObject() && !json.isEmpty() && json.size() <= MOST_FIELDS;
    if (text != null && !right) {
      form.wrong(
          "metadata",
          "must be a JSON object of 1 to %d fields, such as {\"customer\": 42}"
              .formatted(MOST_FIELDS));
      return Map.of();
    }
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    if (json != null) {
      json.propertyStream().forEach(field -> fields.put(field.getKey(), field.getValue()));
    }
    return fields;
  }
}
