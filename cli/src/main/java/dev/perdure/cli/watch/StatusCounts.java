// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The number of tasks in each status.
 *
 * @param byStatus one count per status. They are counted one after another, so a task that moves
 *     meanwhile may be counted twice or not at all
 * @param running some of the running tasks
 * @param pending some of the tasks that wait for their first attempt, oldest first
 * @param at when they were counted, by the server's clock
 * @param graph the tasks of a batch with dependencies that is small enough to be shown
 */
public record StatusCounts(
    CappedCount ended,
    CappedCount live,
    Map<String, CappedCount> byStatus,
    List<TaskInfo> running,
    List<TaskInfo> pending,
    Instant at,
    Optional<TaskGraph> graph) {

  /** The statuses of tasks that have ended, best first. */
  public static final List<String> ENDED = List.of("Success", "Failure", "Canceled");

  private static final List<String> LIVE =
      TaskStatus.live().stream().map(TaskStatus::text).toList();

  /** The value of a {@code status} filter for tasks that have not ended. */
  static final String LIVE_FILTER = String.join(",", LIVE);

  private static final int MAX_RUNNING_SHOWN = 10;

  public StatusCounts {
    byStatus = Collections.unmodifiableMap(new LinkedHashMap<>(byStatus));
    running = List.copyOf(running);
    pending = List.copyOf(pending);
  }

  /**
   * Counts the tasks of a batch.
   *
   * @param clock the time to use when the server does not send its own
   */
  static StatusCounts ofBatch(PerdureClient client, String batch, Instant clock) {
    Map<String, String> filter = Map.of("batch_id", batch);
    StatusCounts counts = of(client, filter, filter, clock);
    // Subtracting the live tasks from all is exact. Adding up the ended ones is not: a task that
    // ended after the live ones were counted would be in both.
    CappedCount all = total(query(client, filter, null, 1));
    CappedCount ended = all.capped() ? counts.ended : all.minus(counts.live);
    return new StatusCounts(
        ended,
        counts.live,
        counts.byStatus,
        counts.running,
        counts.pending,
        counts.at,
        Optional.empty());
  }

  /**
   * Counts live and ended tasks.
   *
   * @param liveFilter the query that selects live tasks
   * @param endedFilter the query that selects ended tasks
   * @param clock the time to use when the server does not send its own
   */
  static StatusCounts of(
      PerdureClient client,
      Map<String, String> liveFilter,
      Map<String, String> endedFilter,
      Instant clock) {
    // Counted first: once nothing is live, the counts that follow cannot change any more.
    ApiResponse live = query(client, liveFilter, LIVE_FILTER, 1);
    Map<String, CappedCount> byStatus = ended(client, endedFilter);
    Map<String, List<TaskInfo>> shown = new LinkedHashMap<>();
    for (String status : LIVE) {
      boolean isShown = status.equals("Running") || status.equals("Pending");
      ApiResponse page = query(client, liveFilter, status, isShown ? null : 1);
      byStatus.put(status, total(page));
      shown.put(status, isShown ? page.page(TaskInfo::of).items() : List.of());
    }
    return new StatusCounts(
        endedTotal(byStatus),
        total(live),
        byStatus,
        shown.getOrDefault("Running", List.of()).stream().limit(MAX_RUNNING_SHOWN).toList(),
        shown.getOrDefault("Pending", List.of()),
        live.serverTime().orElse(clock),
        Optional.empty());
  }

  /** Counts the tasks that have ended. */
  static Map<String, CappedCount> ended(PerdureClient client, Map<String, String> filter) {
    Map<String, CappedCount> byStatus = new LinkedHashMap<>();
    for (String status : ENDED) {
      byStatus.put(status, total(query(client, filter, status, 1)));
    }
    return byStatus;
  }

  private static CappedCount total(ApiResponse page) {
    Long total = page.page(task -> task).total();
    return CappedCount.of(total == null ? 0 : total);
  }

  /** Without a size, the page has the server's default size, which every server allows. */
  private static ApiResponse query(
      PerdureClient client,
      Map<String, String> filter,
      @Nullable String status,
      @Nullable Integer size) {
    Map<String, @Nullable String> query = new LinkedHashMap<>(filter);
    query.put("status", status);
    query.put("sort", "created_at");
    query.put("page_size", size == null ? null : size.toString());
    return client.get("/task", query);
  }

  /** The same counts without the tasks that had ended before. */
  StatusCounts since(Map<String, CappedCount> before) {
    Map<String, CappedCount> since = new LinkedHashMap<>(byStatus);
    before.forEach((status, count) -> since.put(status, count(status).minus(count)));
    return new StatusCounts(endedTotal(since), live, since, running, pending, at, graph);
  }

  StatusCounts withGraph(TaskGraph tasks) {
    return new StatusCounts(ended, live, byStatus, running, pending, at, Optional.of(tasks));
  }

  private static CappedCount endedTotal(Map<String, CappedCount> byStatus) {
    return ENDED.stream()
        .map(status -> byStatus.getOrDefault(status, CappedCount.ZERO))
        .reduce(CappedCount.ZERO, CappedCount::plus);
  }

  public CappedCount count(String status) {
    return byStatus.getOrDefault(status, CappedCount.ZERO);
  }

  /** Tasks that failed or were canceled. */
  CappedCount unsuccessful() {
    return count("Failure").plus(count("Canceled"));
  }

  public CappedCount total() {
    return ended.plus(live);
  }
}
