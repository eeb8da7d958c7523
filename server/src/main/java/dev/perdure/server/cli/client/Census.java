// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

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
public record Census(
    Count ended,
    Count live,
    Map<String, Count> byStatus,
    Count paused,
    List<JsonNode> running,
    List<JsonNode> pending,
    Instant at) {

  /** How a task can end, best first. */
  public static final List<String> ENDED = List.of("Success", "Failure", "Canceled");

  /** All that it can be before. */
  static final List<String> LIVE =
      List.of("Waiting", "Pending", "RetryPending", "Claimed", "Running");

  private static final int MOST_SHOWN = 10;

  public Census {
    byStatus = Collections.unmodifiableMap(new LinkedHashMap<>(byStatus));
    running = List.copyOf(running);
    pending = List.copyOf(pending);
  }

  /**
   * Counts.
   *
   * @param filter which tasks, as the query of a list
   * @param fixed whether the server gets no new ones of them
   */
  static Census of(
      Client client, Map<String, @Nullable String> filter, boolean fixed, Instant otherwise) {
    // First: when nothing is live any more, what is counted after it does not change.
    Answer first = ask(client, filter, String.join(",", LIVE), 1);
    Count live = Count.of(first.total());
    Map<String, Count> counts = new LinkedHashMap<>();
    for (String status : ENDED) {
      counts.put(status, Count.of(ask(client, filter, status, 1).total()));
    }
    Count ended = ended(counts);
    if (fixed) {
      // All less the live is exact; a task that ended since they were counted is in both otherwise.
      Count all = Count.of(ask(client, filter, null, 1).total());
      ended = all.more() ? ended : all.minus(live);
    }
    Map<String, List<JsonNode>> shown = new LinkedHashMap<>();
    for (String status : LIVE) {
      boolean some = status.equals("Running") || status.equals("Pending");
      Answer answer = ask(client, filter, status, some ? null : 1);
      counts.put(status, Count.of(answer.total()));
      shown.put(status, answer.json().valueStream().toList());
    }
    return new Census(
        ended,
        live,
        counts,
        Count.of(ask(client, filter, "Paused", 1).total()),
        shown.getOrDefault("Running", List.of()).stream().limit(MOST_SHOWN).toList(),
        shown.getOrDefault("Pending", List.of()),
        first.date().orElse(otherwise));
  }

  /** A page of the server's own size when none is given: it may allow less than we would like. */
  private static Answer ask(
      Client client,
      Map<String, @Nullable String> filter,
      @Nullable String status,
      @Nullable Integer size) {
    Map<String, @Nullable String> query = new LinkedHashMap<>(filter);
    query.put("status", status);
    query.put("sort", "created_at");
    query.put("page_size", size == null ? null : size.toString());
    return client.get("/task", query);
  }

  /** The same without what had ended before. */
  Census since(Census before) {
    Map<String, Count> counts = new LinkedHashMap<>(byStatus);
    ENDED.forEach(status -> counts.put(status, count(status).minus(before.count(status))));
    return new Census(ended(counts), live, counts, paused, running, pending, at);
  }

  private static Count ended(Map<String, Count> counts) {
    return ENDED.stream()
        .map(status -> counts.getOrDefault(status, Count.NONE))
        .reduce(Count.NONE, Count::plus);
  }

  public Count count(String status) {
    return byStatus.getOrDefault(status, Count.NONE);
  }

  public Count total() {
    return ended.plus(live);
  }
}
