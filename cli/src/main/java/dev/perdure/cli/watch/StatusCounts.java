// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How many tasks are where.
 *
 * @param ended how many have ended
 * @param live how many have not
 * @param byStatus how many have each status; they are counted one after the other, and a task that
 *     moves meanwhile may be counted twice or not at all
 * @param paused how many of the live ones are paused
 * @param running some of those that run
 * @param pending some of those that wait for their first attempt, the oldest
 * @param at when, by the server's clock
 */
public record StatusCounts(
    CappedCount ended,
    CappedCount live,
    Map<String, CappedCount> byStatus,
    CappedCount paused,
    List<JsonNode> running,
    List<JsonNode> pending,
    Instant at) {

  /** How a task can end, best first. */
  public static final List<String> ENDED = List.of("Success", "Failure", "Canceled");

  /** All that it can be before. */
  static final List<String> LIVE =
      List.of("Waiting", "Pending", "RetryPending", "Claimed", "Running");

  private static final int MAX_RUNNING_SHOWN = 10;

  public StatusCounts {
    byStatus = Collections.unmodifiableMap(new LinkedHashMap<>(byStatus));
    running = List.copyOf(running);
    pending = List.copyOf(pending);
  }

  /**
   * Counts the tasks of a batch.
   *
   * @param otherwise the time when the server does not say it
   */
  static StatusCounts ofBatch(PerdureClient perdureClient, String batch, Instant otherwise) {
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("batch_id", batch);
    StatusCounts statusCounts = of(perdureClient, filter, filter, otherwise);
    // All less the live is exact; a task that ended since they were counted is in both otherwise.
    CappedCount all = CappedCount.of(query(perdureClient, filter, null, 1).total());
    CappedCount ended = all.capped() ? statusCounts.ended : all.minus(statusCounts.live);
    return new StatusCounts(
        ended,
        statusCounts.live,
        statusCounts.byStatus,
        statusCounts.paused,
        statusCounts.running,
        statusCounts.pending,
        statusCounts.at);
  }

  /**
   * Counts.
   *
   * @param ofLive which of the live tasks, as the query of a list
   * @param ofEnded which of the others
   * @param otherwise the time when the server does not say it
   */
  static StatusCounts of(
      PerdureClient perdureClient,
      Map<String, @Nullable String> ofLive,
      Map<String, @Nullable String> ofEnded,
      Instant otherwise) {
    // First: when nothing is live any more, what is counted after it does not change.
    ApiResponse first = query(perdureClient, ofLive, String.join(",", LIVE), 1);
    Map<String, CappedCount> cappedCounts = ended(perdureClient, ofEnded);
    Map<String, List<JsonNode>> shown = new LinkedHashMap<>();
    for (String status : LIVE) {
      boolean some = status.equals("Running") || status.equals("Pending");
      ApiResponse apiResponse = query(perdureClient, ofLive, status, some ? null : 1);
      cappedCounts.put(status, CappedCount.of(apiResponse.total()));
      shown.put(status, apiResponse.json().valueStream().toList());
    }
    return new StatusCounts(
        endedTotal(cappedCounts),
        CappedCount.of(first.total()),
        cappedCounts,
        CappedCount.of(query(perdureClient, ofLive, "Paused", 1).total()),
        shown.getOrDefault("Running", List.of()).stream().limit(MAX_RUNNING_SHOWN).toList(),
        shown.getOrDefault("Pending", List.of()),
        first.serverTime().orElse(otherwise));
  }

  /** How many ended in which way. */
  static Map<String, CappedCount> ended(
      PerdureClient perdureClient, Map<String, @Nullable String> filter) {
    Map<String, CappedCount> cappedCounts = new LinkedHashMap<>();
    for (String status : ENDED) {
      cappedCounts.put(status, CappedCount.of(query(perdureClient, filter, status, 1).total()));
    }
    return cappedCounts;
  }

  /** A page of the server's own size when none is given: it may allow less than we would like. */
  private static ApiResponse query(
      PerdureClient perdureClient,
      Map<String, @Nullable String> filter,
      @Nullable String status,
      @Nullable Integer size) {
    Map<String, @Nullable String> query = new LinkedHashMap<>(filter);
    query.put("status", status);
    query.put("sort", "created_at");
    query.put("page_size", size == null ? null : size.toString());
    return perdureClient.get("/task", query);
  }

  /** The same without what had ended before. */
  StatusCounts since(Map<String, CappedCount> before) {
    Map<String, CappedCount> cappedCounts = new LinkedHashMap<>(byStatus);
    before.forEach(
        (status, cappedCount) -> cappedCounts.put(status, count(status).minus(cappedCount)));
    return new StatusCounts(
        endedTotal(cappedCounts), live, cappedCounts, paused, running, pending, at);
  }

  private static CappedCount endedTotal(Map<String, CappedCount> cappedCounts) {
    return ENDED.stream()
        .map(status -> cappedCounts.getOrDefault(status, CappedCount.ZERO))
        .reduce(CappedCount.ZERO, CappedCount::plus);
  }

  public CappedCount count(String status) {
    return byStatus.getOrDefault(status, CappedCount.ZERO);
  }

  /** How many ended badly. */
  CappedCount unsuccessful() {
    return count("Failure").plus(count("Canceled"));
  }

  public CappedCount total() {
    return ended.plus(live);
  }
}
