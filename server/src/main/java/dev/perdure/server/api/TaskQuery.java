// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.query.TaskSort;
import dev.perdure.engine.task.DisplayStatus;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.server.http.JsonBody;
import dev.perdure.server.http.QueryParameters;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The query of a page of tasks. */
record TaskQuery(TaskFilter filter, PageQuery page) {

  /** The parameters that filter tasks. */
  static final List<String> FILTERS =
      List.of(
          "status",
          "kind",
          "name",
          "batch_id",
          "metadata",
          "timeout",
          "failure_kind",
          "give_up_reason",
          "created_after",
          "created_before",
          "error",
          "failure_code",
          "attempt_min",
          "ended_after",
          "ended_before",
          "due_after",
          "due_before",
          "schedule_id",
          "worker",
          "parked",
          "q");

  private static final List<String> PARAMETERS =
      Stream.of(FILTERS, List.of("sort"), PageQuery.PARAMETERS).flatMap(List::stream).toList();

  static final List<String> STATUSES =
      Stream.of(DisplayStatus.values()).map(DisplayStatus::toString).toList();

  private static final List<String> REASONS =
      Stream.of(TaskGiveUpReason.values()).map(TaskGiveUpReason::text).toList();

  /** The values of {@code sort}; the first is the default. */
  private static final Map<String, TaskSort> SORTS = new LinkedHashMap<>();

  static {
    SORTS.put("-created_at", TaskSort.NEWEST);
    SORTS.put("created_at", TaskSort.OLDEST);
    SORTS.put("next_retry_at", TaskSort.NEXT_RETRY);
    SORTS.put("-ended_at", TaskSort.LAST_ENDED);
  }

  /** Before a kind or a name: the whole text must be equal. */
  static final String EXACT = "=";

  private static final Pattern ERROR = Pattern.compile("[0-9a-f]{16}");
  private static final int MAX_SEARCH_LENGTH = 255;
  private static final int MAX_METADATA_FIELDS = 20;

  /** Throws InvalidPolicyException with all problems. */
  static TaskQuery of(QueryParameters parameters, ApiLimits limits) {
    QueryReader query = QueryReader.of(parameters, PARAMETERS);
    TaskFilter filter = filter(query);
    String order = query.oneOf("sort", List.copyOf(SORTS.keySet()));
    TaskSort sort = order == null ? TaskSort.NEWEST : SORTS.getOrDefault(order, TaskSort.NEWEST);
    TaskQuery read =
        new TaskQuery(restrictToSort(query, filter, sort), PageQuery.of(query, sort, limits));
    query.requireValid();
    return read;
  }

  /** Reads only the filter. Throws InvalidPolicyException with all problems. */
  static TaskFilter filter(QueryParameters parameters) {
    QueryReader query = QueryReader.of(parameters, FILTERS);
    TaskFilter filter = filter(query);
    query.requireValid();
    return filter;
  }

  /** Restricts the filter to the tasks that have the instant to sort by. */
  private static TaskFilter restrictToSort(QueryReader query, TaskFilter filter, TaskSort sort) {
    if (filter.batch() != null && !sort.isWithinBatch()) {
      query.addProblem(
          "sort", "cannot be combined with 'batch_id': a batch can only be sorted by created_at");
    }
    if (sort.isWithinBatch()) {
      return filter;
    }
    List<String> supported =
        Stream.of(DisplayStatus.values())
            .filter(status -> !Collections.disjoint(status.states(), sort.states()))
            .map(DisplayStatus::toString)
            .toList();
    if (filter.statuses().stream().anyMatch(status -> !supported.contains(status.toString()))) {
      query.addProblem(
          "sort",
          "exists only for tasks that are %s: remove the other values from 'status'"
              .formatted(String.join(", ", supported)));
    }
    return filter.withStates(sort.states());
  }

  private static TaskFilter filter(QueryReader query) {
    String reason = query.oneOf("give_up_reason", REASONS);
    return withKind(withName(TaskFilter.all(), query.text("name")), query.text("kind"))
        .withStatuses(statuses(query))
        .withTimeout(timeout(query))
        .withText(searchText(query))
        .withMetadata(metadata(query))
        .withBatch(query.id("batch_id"))
        .withFailureKind(query.text("failure_kind"))
        .withGiveUpReason(reason == null ? null : TaskGiveUpReason.of(reason).orElseThrow())
        .withCreatedAfter(query.instant("created_after"))
        .withCreatedBefore(query.instant("created_before"))
        .withError(error(query))
        .withFailureCode(query.text("failure_code"))
        .withAttemptMin(
            query.text("attempt_min") == null
                ? null
                : (Long) query.integer("attempt_min", 0, 0, Integer.MAX_VALUE))
        .withEndedAfter(query.instant("ended_after"))
        .withEndedBefore(query.instant("ended_before"))
        .withDueAfter(query.instant("due_after"))
        .withDueBefore(query.instant("due_before"))
        .withSchedule(query.id("schedule_id"))
        .withWorker(query.text("worker"))
        .withParked(parked(query));
  }

  private static @Nullable String error(QueryReader query) {
    String text = query.text("error");
    if (text != null && !ERROR.matcher(text).matches()) {
      query.addProblem("error", "must have 16 hexadecimal digits, as 'GET /error' shows them");
      return null;
    }
    return text;
  }

  private static @Nullable Boolean parked(QueryReader query) {
    String word = query.oneOf("parked", List.of("true", "false"));
    return word == null ? null : (Boolean) word.equals("true");
  }

  /**
   * Restricts the filter to kinds that contain the text, or to the kind after {@code =}. Several
   * kinds, with commas between them, are whole kinds.
   */
  static TaskFilter withKind(TaskFilter filter, @Nullable String text) {
    if (text != null && text.contains(",")) {
      // The whole text as well: a kind may have a comma in it.
      return filter.withKinds(
          Stream.concat(Stream.of(text), Stream.of(text.split(",", -1)))
              .map(kind -> kind.startsWith(EXACT) ? kind.substring(EXACT.length()) : kind)
              .collect(Collectors.toSet()));
    }
    return text != null && text.startsWith(EXACT)
        ? filter.withKind(text.substring(EXACT.length()))
        : filter.withKindContains(text);
  }

  private static TaskFilter withName(TaskFilter filter, @Nullable String text) {
    return text != null && text.startsWith(EXACT)
        ? filter.withName(text.substring(EXACT.length()))
        : filter.withNameContains(text);
  }

  private static @Nullable Duration timeout(QueryReader query) {
    return query.text("timeout") == null
        ? null
        : Duration.ofSeconds(
            query.positiveInteger("timeout", 1, SubmissionReader.MAX_TIMEOUT_SECONDS));
  }

  private static Set<DisplayStatus> statuses(QueryReader query) {
    Set<DisplayStatus> found = EnumSet.noneOf(DisplayStatus.class);
    String text = query.text("status");
    for (String word : text == null ? new String[0] : text.split(",", -1)) {
      String status = query.matchOneOf("status", word, STATUSES);
      if (status != null) {
        found.add(DisplayStatus.of(status).orElseThrow());
      }
    }
    return found;
  }

  private static @Nullable String searchText(QueryReader query) {
    String text = query.text("q");
    if (text != null && text.length() > MAX_SEARCH_LENGTH) {
      query.addProblem("q", "must have at most %d characters".formatted(MAX_SEARCH_LENGTH));
      return null;
    }
    return text;
  }

  /** Metadata fields and their required values. JSON, so that 42 and "42" differ. */
  private static Map<String, JsonNode> metadata(QueryReader query) {
    String text = query.text("metadata");
    JsonNode json = text == null ? null : JsonBody.parseOrNull(text);
    boolean valid =
        json != null && json.isObject() && !json.isEmpty() && json.size() <= MAX_METADATA_FIELDS;
    if (text != null && !valid) {
      query.addProblem(
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
