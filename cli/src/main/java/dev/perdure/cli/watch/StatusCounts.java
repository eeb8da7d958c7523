// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.watch;

import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.BatchInfo;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The number of tasks in each status.
 *
 * @param byStatus one count per status. They are counted one after another, so a task that moves
 *     meanwhile may be counted twice or not at all
 * @param running some of the running tasks
 * @param pending some of the tasks that wait for their first attempt, oldest first
 * @param at when they were counted, by the server's clock
 * @param batch the batch, when only one is watched
 * @param graph the tasks of a batch with dependencies that is small enough to be shown
 */
public record StatusCounts(
    CappedCount ended,
    CappedCount live,
    Map<String, CappedCount> byStatus,
    List<TaskInfo> running,
    List<TaskInfo> pending,
    Instant at,
    Optional<BatchInfo> batch,
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
   * The counts of a batch's current run, which are exact and of one moment.
   *
   * @param response the batch
   * @param clock the time to use when the server does not send its own
   */
  static StatusCounts ofBatch(PerdureClient client, ApiResponse response, Instant clock) {
    BatchInfo batch = response.read(BatchInfo::of);
    Map<String, CappedCount> byStatus = new LinkedHashMap<>();
    Stream.concat(ENDED.stream(), LIVE.stream())
        .forEach(status -> byStatus.put(status, exact(batch.count(TaskStatus.of(status)))));
    return new StatusCounts(
        exact(Math.max(0, batch.totalTasks() - batch.live())),
        exact(batch.live()),
        byStatus,
        some(client, batch, TaskStatus.RUNNING).stream().limit(MAX_RUNNING_SHOWN).toList(),
        some(client, batch, TaskStatus.PENDING),
        response.serverTime().orElse(clock),
        Optional.of(batch),
        Optional.empty());
  }

  private static CappedCount exact(long count) {
    return new CappedCount(count, false);
  }

  private static List<TaskInfo> some(PerdureClient client, BatchInfo batch, TaskStatus status) {
    Map<String, String> filter = Map.of("batch_id", batch.id().toString());
    return batch.count(status) == 0
        ? List.of()
        : query(client, filter, status.text(), null).page(TaskInfo::of).items();
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
        Optional.empty(),
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
    long counted = total == null ? 0 : total;
    return page.isTotalExact() ? CappedCount.of(counted) : new CappedCount(counted, true);
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
    return new StatusCounts(endedTotal(since), live, since, running, pending, at, batch, graph);
  }

  StatusCounts withGraph(TaskGraph tasks) {
    return new StatusCounts(ended, live, byStatus, running, pending, at, batch, Optional.of(tasks));
  }

  /** Whether nothing more will happen: no task is live, and the batch's policy has decided. */
  public boolean isOver() {
    return live.isZero() && batch.map(BatchInfo::isFinal).orElse(true);
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
