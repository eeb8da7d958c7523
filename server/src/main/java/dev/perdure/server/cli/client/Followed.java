// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that somebody follows: those of a batch, or those that are live at the beginning and
 * all that come later.
 *
 * <p>Of the latter, what had ended before is counted once and left out. The server counts no
 * further than {@link Count#MOST}; so only what is as young as the oldest live task is counted at
 * all, and where that is still too much the newest bad ending tells whether there were more.
 */
public final class Followed {

  private static final String BAD = "Failure,Canceled";

  /** Ids follow the order of creation only roughly, and so does a list by it. */
  private static final Duration CREATED_BESIDE = Duration.ofSeconds(5);

  private final Client client;
  private final Map<String, @Nullable String> filter;
  private final @Nullable Census before;
  private final String lastBad;

  private Followed(
      Client client,
      Map<String, @Nullable String> filter,
      @Nullable Census before,
      String lastBad) {
    this.client = client;
    this.filter = filter;
    this.before = before;
    this.lastBad = lastBad;
  }

  /** The tasks of this batch. */
  public static Followed batch(Client client, String batch) {
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("batch_id", batch);
    return new Followed(client, filter, null, "");
  }

  /**
   * All tasks that are live now or come later.
   *
   * @param otherwise the time when the server does not say it
   */
  public static Followed all(Client client, Instant otherwise) {
    String lastBad = lastBad(client);
    Instant oldest = oldestLive(client).orElse(otherwise);
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("created_after", oldest.minus(CREATED_BESIDE).toString());
    return new Followed(client, filter, Census.of(client, filter, false, otherwise), lastBad);
  }

  private static Optional<Instant> oldestLive(Client client) {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("status", String.join(",", Census.LIVE));
    query.put("sort", "created_at");
    query.put("page_size", "1");
    Answer answer = client.get("/task", query);
    return answer
        .json()
        .valueStream()
        .map(task -> Instant.parse(task.path("created_at").asString()))
        .findFirst()
        .or(answer::date);
  }

  /** Which task ended badly last, and when; empty when none has. */
  private static String lastBad(Client client) {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("status", BAD);
    query.put("sort", "-ended_at");
    query.put("page_size", "1");
    return client
        .get("/task", query)
        .json()
        .valueStream()
        .map(task -> task.path("ended_at").asString() + " " + task.path("id").asString())
        .findFirst()
        .orElse("");
  }

  /** How many are where now. */
  public Census count(Instant otherwise) {
    Census now = Census.of(client, filter, before == null, otherwise);
    return before == null ? now : now.since(before);
  }

  /** Whether none ended badly. */
  public boolean wentWell(Census census) {
    Count bad = census.count("Failure").plus(census.count("Canceled"));
    return bad.number() == 0 && (!bad.more() || lastBad(client).equals(lastBad));
  }
}
