// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

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
 * <p>The server counts no further than {@link Count#MOST}; so of what has ended only that is
 * counted which is as young as the oldest live task. The counts do not tell everything then: an
 * older task may be revived, and fail again. The newest bad ending does.
 */
final class FollowedLive implements Followed {

  /** Ids follow the order of creation only roughly, and so does a list by it. */
  private static final Duration CREATED_BESIDE = Duration.ofSeconds(5);

  private final Client client;
  private final Map<String, @Nullable String> young;
  private final Map<String, Count> before;
  private final Instant lastBad;

  private FollowedLive(Client client, Map<String, @Nullable String> young, Instant lastBad) {
    this.client = client;
    this.young = young;
    this.before = Census.ended(client, young);
    this.lastBad = lastBad;
  }

  static FollowedLive from(Client client, Instant otherwise) {
    Instant lastBad = lastBad(client);
    Answer live = first(client, String.join(",", Census.LIVE), "created_at");
    Instant oldest = instant(live, "created_at", live.date().orElse(otherwise));
    Map<String, @Nullable String> young = new LinkedHashMap<>();
    young.put("created_after", oldest.minus(CREATED_BESIDE).toString());
    return new FollowedLive(client, young, lastBad);
  }

  /** When a task ended badly last. */
  private static Instant lastBad(Client client) {
    return instant(first(client, "Failure,Canceled", "-ended_at"), "ended_at", Instant.MIN);
  }

  private static Answer first(Client client, String status, String order) {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("status", status);
    query.put("sort", order);
    query.put("page_size", "1");
    return client.get("/task", query);
  }

  private static Instant instant(Answer list, String field, Instant otherwise) {
    JsonNode value = list.json().path(0).path(field);
    return value.isString() ? Instant.parse(value.asString()) : otherwise;
  }

  @Override
  public Census count(Instant otherwise) {
    return Census.of(client, Map.of(), young, otherwise).since(before);
  }

  @Override
  public boolean wentWell(Census census) {
    return census.bad().number() == 0 && !lastBad(client).isAfter(lastBad);
  }
}
