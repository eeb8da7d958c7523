// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Which tasks to list, and in which order: immutable, each method returns a changed copy. */
public final class TaskSearch {

  /** The order of a list. */
  public enum Order {
    NEWEST_FIRST("-created_at"),
    OLDEST_FIRST("created_at"),
    /** Only tasks that wait for a retry. */
    NEXT_RETRY_FIRST("next_retry_at"),
    /** Only tasks that have ended. */
    LAST_ENDED_FIRST("-ended_at");

    private final String parameter;

    Order(String parameter) {
      this.parameter = parameter;
    }
  }

  private final Map<String, String> filters;
  private final Map<String, String> paging;

  private TaskSearch(Map<String, String> filters, Map<String, String> paging) {
    this.filters = filters;
    this.paging = paging;
  }

  /** All tasks, newest first. */
  public static TaskSearch all() {
    return new TaskSearch(Map.of(), Map.of());
  }

  private TaskSearch filter(String name, Object value) {
    return new TaskSearch(SearchParameters.with(filters, name, value), paging);
  }

  private TaskSearch paging(String name, Object value) {
    return new TaskSearch(filters, SearchParameters.with(paging, name, value));
  }

  /** Tasks that show one of these statuses. */
  public TaskSearch status(TaskStatus... statuses) {
    return filter(
        "status", Stream.of(statuses).map(TaskStatus::text).collect(Collectors.joining(",")));
  }

  /** Tasks of exactly this kind. */
  public TaskSearch kind(String kind) {
    return filter("kind", "=" + kind);
  }

  /** Tasks whose name contains this text. */
  public TaskSearch name(String part) {
    return filter("name", part);
  }

  public TaskSearch batch(UUID batch) {
    return filter("batch_id", batch);
  }

  /** Tasks whose metadata has these values. */
  public TaskSearch metadata(Map<String, ?> values) {
    return filter("metadata", JsonMapper.shared().writeValueAsString(values));
  }

  /** Tasks that failed with this kind of failure, such as {@code timeout}. */
  public TaskSearch failureKind(String kind) {
    return filter("failure_kind", kind);
  }

  /** Tasks that were given up for this reason, such as {@code exhausted}. */
  public TaskSearch giveUpReason(String reason) {
    return filter("give_up_reason", reason);
  }

  /** Tasks whose failure has this fingerprint, as {@code GET /error} shows it. */
  public TaskSearch error(String fingerprint) {
    return filter("error", fingerprint);
  }

  /** Tasks that have not ended and are due after this instant. */
  public TaskSearch dueAfter(Instant instant) {
    return filter("due_after", instant);
  }

  /** Tasks that have not ended and are due before this instant. */
  public TaskSearch dueBefore(Instant instant) {
    return filter("due_before", instant);
  }

  public TaskSearch createdAfter(Instant instant) {
    return filter("created_after", instant);
  }

  public TaskSearch createdBefore(Instant instant) {
    return filter("created_before", instant);
  }

  /** Tasks that contain this text. */
  public TaskSearch text(String text) {
    return filter("q", text);
  }

  public TaskSearch order(Order order) {
    return paging("sort", order.parameter);
  }

  /** The number of tasks per page; the server's default unless set. */
  public TaskSearch pageSize(int size) {
    return paging("page_size", size);
  }

  /** Continues after an earlier page. */
  public TaskSearch after(String cursor) {
    return paging("after", cursor);
  }

  Map<String, String> filters() {
    return filters;
  }

  Map<String, String> parameters() {
    Map<String, String> all = new LinkedHashMap<>(filters);
    all.putAll(paging);
    return all;
  }
}
