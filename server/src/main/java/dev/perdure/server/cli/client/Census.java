// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How many tasks are where.
 *
 * @param all how many there are
 * @param live how many of them have not ended
 * @param byStatus how many have each status; they are counted one after the other, and a task that
 *     moves meanwhile may be counted twice or not at all
 * @param running some of those that run
 * @param at when, by the server's clock
 */
public record Census(
    long all, long live, Map<String, Long> byStatus, List<JsonNode> running, Instant at) {

  /** The server counts no further. */
  public static final long MOST_COUNTED = 10_000;

  /** How a task can end, best first. */
  public static final List<String> ENDED = List.of("Success", "Failure", "Canceled");

  private static final List<String> LIVE =
      List.of("Waiting", "Pending", "RetryPending", "Claimed", "Running");
  private static final int MOST_SHOWN = 10;

  public Census {
    byStatus = Collections.unmodifiableMap(new LinkedHashMap<>(byStatus));
    running = List.copyOf(running);
  }

  /**
   * Counts.
   *
   * @param batch only the tasks of this one; null for all
   */
  public static Census of(Client client, @Nullable String batch, Instant otherwise) {
    // First: when nothing is live any more, what is counted after it does not change.
    Answer live = ask(client, batch, String.join(",", LIVE), 1);
    long all = ask(client, batch, null, 1).total();
    Map<String, Long> counts = new LinkedHashMap<>();
    List<JsonNode> running = new ArrayList<>();
    for (String status : Stream.concat(ENDED.stream(), LIVE.stream()).toList()) {
      boolean shown = status.equals("Running");
      Answer answer = ask(client, batch, status, shown ? null : 1);
      counts.put(status, answer.total());
      if (shown) {
        answer.json().valueStream().limit(MOST_SHOWN).forEach(running::add);
      }
    }
    counts.put("Paused", ask(client, batch, "Paused", 1).total());
    return new Census(all, live.total(), counts, running, live.date().orElse(otherwise));
  }

  /** A page of the server's own size when none is given: it may allow less than we would like. */
  private static Answer ask(
      Client client, @Nullable String batch, @Nullable String status, @Nullable Integer size) {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("batch_id", batch);
    query.put("status", status);
    query.put("page_size", size == null ? null : size.toString());
    return client.get("/task", query);
  }

  /** The same without what had ended before. */
  public Census since(Census before) {
    Map<String, Long> counts = new LinkedHashMap<>(byStatus);
    ENDED.forEach(status -> counts.merge(status, -before.count(status), Long::sum));
    return new Census(all - before.ended(), live, counts, running, at);
  }

  public long count(String status) {
    return byStatus.getOrDefault(status, 0L);
  }

  /** Past what the server counts only the sum of the endings is left to go by. */
  public long ended() {
    return all < MOST_COUNTED ? all - live : ENDED.stream().mapToLong(this::count).sum();
  }

  public long total() {
    return ended() + live;
  }
}
