// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All tasks that are live at the beginning or later; what had ended before is counted once and left
 * out.
 *
 * <p>The server counts no further than {@link CappedCount#CAP}; so of what has ended only that is
 * counted which is as young as the oldest live task. The counts do not tell everything then: an
 * older task may be revived, and fail again. The newest bad ending does.
 */
final class WatchedLiveTasks implements WatchedTasks {

  /** Ids follow the order of creation only roughly, and so does a list by it. */
  private static final Duration CREATION_SKEW = Duration.ofSeconds(5);

  private final PerdureClient perdureClient;
  private final Map<String, @Nullable String> createdFilter;
  private final Map<String, CappedCount> before;
  private final Instant lastUnsuccessfulEnd;

  private WatchedLiveTasks(
      PerdureClient perdureClient, Map<String, @Nullable String> young, Instant lastBad) {
    this.perdureClient = perdureClient;
    this.createdFilter = young;
    this.before = StatusCounts.ended(perdureClient, young);
    this.lastUnsuccessfulEnd = lastBad;
  }

  static WatchedLiveTasks from(PerdureClient perdureClient, Instant otherwise) {
    Instant lastBad = lastUnsuccessfulEnd(perdureClient);
    ApiResponse live = firstTask(perdureClient, String.join(",", StatusCounts.LIVE), "created_at");
    Instant oldest = instant(live, "created_at", live.serverTime().orElse(otherwise));
    Map<String, @Nullable String> young = new LinkedHashMap<>();
    young.put("created_after", oldest.minus(CREATION_SKEW).toString());
    return new WatchedLiveTasks(perdureClient, young, lastBad);
  }

  /** When a task ended badly last. */
  private static Instant lastUnsuccessfulEnd(PerdureClient perdureClient) {
    return instant(
        firstTask(perdureClient, "Failure,Canceled", "-ended_at"), "ended_at", Instant.MIN);
  }

  private static ApiResponse firstTask(PerdureClient perdureClient, String status, String order) {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("status", status);
    query.put("sort", order);
    query.put("page_size", "1");
    return perdureClient.get("/task", query);
  }

  private static Instant instant(ApiResponse list, String field, Instant otherwise) {
    JsonNode value = list.json().path(0).path(field);
    return value.isString() ? Instant.parse(value.asString()) : otherwise;
  }

  @Override
  public StatusCounts count(Instant otherwise) {
    return StatusCounts.of(perdureClient, Map.of(), createdFilter, otherwise).since(before);
  }

  @Override
  public boolean noneFailed(StatusCounts statusCounts) {
    return statusCounts.unsuccessful().value() == 0
        && !lastUnsuccessfulEnd(perdureClient).isAfter(lastUnsuccessfulEnd);
  }
}
