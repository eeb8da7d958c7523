// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * All tasks that are live when watching starts, or become live later. Tasks that had ended before
 * are counted once and subtracted.
 *
 * <p>The server counts only up to {@link CappedCount#CAP}. To stay below that, only ended tasks
 * that were created after the oldest live task are counted. Such counts miss an older task that is
 * revived and fails again, so {@link #noneFailed} also compares when a task last ended without
 * success.
 */
final class WatchedLiveTasks implements WatchedTasks {

  /** Ids, and so lists by creation time, follow the order of creation only roughly. */
  private static final Duration CREATION_SKEW = Duration.ofSeconds(5);

  private final PerdureClient client;
  private final Map<String, String> createdFilter;
  private final Map<String, CappedCount> before;
  private final Instant lastUnsuccessfulEnd;

  private WatchedLiveTasks(
      PerdureClient client, Map<String, String> createdFilter, Instant lastUnsuccessfulEnd) {
    this.client = client;
    this.createdFilter = createdFilter;
    this.before = StatusCounts.ended(client, createdFilter);
    this.lastUnsuccessfulEnd = lastUnsuccessfulEnd;
  }

  static WatchedLiveTasks from(PerdureClient client, Instant clock) {
    Instant lastEnd = lastUnsuccessfulEnd(client);
    ApiResponse live = firstTask(client, StatusCounts.LIVE_FILTER, "created_at");
    Instant oldest = instant(live, "created_at", live.serverTime().orElse(clock));
    String since = oldest.minus(CREATION_SKEW).toString();
    return new WatchedLiveTasks(client, Map.of("created_after", since), lastEnd);
  }

  private static Instant lastUnsuccessfulEnd(PerdureClient client) {
    return instant(firstTask(client, "Failure,Canceled", "-ended_at"), "ended_at", Instant.MIN);
  }

  private static ApiResponse firstTask(PerdureClient client, String status, String order) {
    return client.get("/task", Map.of("status", status, "sort", order, "page_size", "1"));
  }

  private static Instant instant(ApiResponse list, String field, Instant otherwise) {
    return list
        .page(
            task -> {
              JsonNode value = task.path(field);
              return value.isString() ? Instant.parse(value.asString()) : otherwise;
            })
        .items()
        .stream()
        .findFirst()
        .orElse(otherwise);
  }

  @Override
  public StatusCounts count(Instant clock) {
    return StatusCounts.of(client, Map.of(), createdFilter, clock).since(before);
  }

  @Override
  public boolean noneFailed(StatusCounts counts) {
    return counts.unsuccessful().value() == 0
        && !lastUnsuccessfulEnd(client).isAfter(lastUnsuccessfulEnd);
  }
}
