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
   * Counts the tasks of a batch.
   *
   * @param otherwise the time when the server does not say it
   */
  static Census ofBatch(Client client, String batch, Instant otherwise) {
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("batch_id", batch);
    Census census = of(client, filter, filter, otherwise);
    // All less the live is exact; a task that ended since they were counted is in both otherwise.
    Count all = Count.of(ask(client, filter, null, 1).total());
    Count ended = all.more() ? census.ended : all.minus(census.live);
    return new Census(
        ended,
        census.live,
        census.byStatus,
        census.paused,
        census.running,
        census.pending,
        census.at);
  }

  /**
   * Counts.
   *
   * @param ofLive which of the live tasks, as the query of a list
   * @param ofEnded which of the others
   * @param otherwise the time when the server does not say it
   */
  static Census of(
      Client client,
      Map<String, @Nullable String> ofLive,
      Map<String, @Nullable String> ofEnded,
      Instant otherwise) {
    // First: when nothing is live any more, what is counted after it does not change.
    Answer first = ask(client, ofLive, String.join(",", LIVE), 1);
    Map<String, Count> counts = ended(client, ofEnded);
    Map<String, List<JsonNode>> shown = new LinkedHashMap<>();
    for (String status : LIVE) {
      boolean some = status.equals("Running") || status.equals("Pending");
      Answer answer = ask(client, ofLive, status, some ? null : 1);
      counts.put(status, Count.of(answer.total()));
      shown.put(status, answer.json().valueStream().toList());
    }
    return new Census(
        sumOfEnded(counts),
        Count.of(first.total()),
        counts,
        Count.of(ask(client, ofLive, "Paused", 1).total()),
        shown.getOrDefault("Running", List.of()).stream().limit(MOST_SHOWN).toList(),
        shown.getOrDefault("Pending", List.of()),
        first.date().orElse(otherwise));
  }

  /** How many ended in which way. */
  static Map<String, Count> ended(Client client, Map<String, @Nullable String> filter) {
    Map<String, Count> counts = new LinkedHashMap<>();
    for (String status : ENDED) {
      counts.put(status, Count.of(ask(client, filter, status, 1).total()));
    }
    return counts;
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
  Census since(Map<String, Count> before) {
    Map<String, Count> counts = new LinkedHashMap<>(byStatus);
    before.forEach((status, count) -> counts.put(status, count(status).minus(count)));
    return new Census(sumOfEnded(counts), live, counts, paused, running, pending, at);
  }

  private static Count sumOfEnded(Map<String, Count> counts) {
    return ENDED.stream()
        .map(status -> counts.getOrDefault(status, Count.NONE))
        .reduce(Count.NONE, Count::plus);
  }

  public Count count(String status) {
    return byStatus.getOrDefault(status, Count.NONE);
  }

  /** How many ended badly. */
  Count bad() {
    return count("Failure").plus(count("Canceled"));
  }

  public Count total() {
    return ended.plus(live);
  }
}
