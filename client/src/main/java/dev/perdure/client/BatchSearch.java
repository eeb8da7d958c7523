// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.Map;

/** Which batches to list: immutable, each method returns a changed copy. */
public final class BatchSearch {

  private final Map<String, String> parameters;

  private BatchSearch(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /** All batches, newest first. */
  public static BatchSearch all() {
    return new BatchSearch(Map.of());
  }

  private BatchSearch with(String name, Object value) {
    return new BatchSearch(SearchParameters.with(parameters, name, value));
  }

  /** Batches whose name, or the name of one of their tasks, contains this text. */
  public BatchSearch name(String part) {
    return with("name", part);
  }

  /** Batches with a task whose kind contains this text. */
  public BatchSearch kind(String part) {
    return with("kind", part);
  }

  /** Batches with a task that shows this status. */
  public BatchSearch status(TaskStatus status) {
    return with("status", status.text());
  }

  public BatchSearch createdAfter(Instant instant) {
    return with("created_after", instant);
  }

  public BatchSearch createdBefore(Instant instant) {
    return with("created_before", instant);
  }

  /** Batches that have not ended. */
  public BatchSearch live() {
    return with("state", "live");
  }

  public BatchSearch ended() {
    return with("state", "ended");
  }

  public BatchSearch pageSize(int size) {
    return with("page_size", size);
  }

  /** Continues after an earlier page. */
  public BatchSearch after(String cursor) {
    return with("after", cursor);
  }

  Map<String, String> parameters() {
    return parameters;
  }
}
