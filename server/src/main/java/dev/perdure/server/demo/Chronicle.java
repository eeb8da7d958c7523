// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Tells in a sentence each what became of tasks since the last look. */
public final class Chronicle {

  /** How something went, for its colour. */
  public enum Mood {
    GOOD,
    WAITS,
    BAD
  }

  /**
   * Something that happened.
   *
   * @param task some letters of the id, enough to tell tasks of a minute apart
   */
  public record Event(Instant at, String kind, String task, Mood mood, String text) {}

  /** Of the letters at the end, the last say the shard. */
  private static final int SHARD_LETTERS = 3;

  private static final int SHORT_ID = 6;

  private final Map<String, String> seen = new HashMap<>();

  /** What is new in these tasks; those that are not among them are forgotten. */
  List<Event> read(JsonNode tasks) {
    List<Event> events = new ArrayList<>();
    Map<String, String> now = new HashMap<>();
    for (JsonNode task : tasks) {
      String id = task.path("id").asString();
      String state = task.path("status").asString() + " " + task.path("attempt").asLong();
      now.put(id, state);
      if (!state.equals(seen.get(id))) {
        add(events, task, id);
      }
    }
    seen.clear();
    seen.putAll(now);
    events.sort(Comparator.comparing(Event::at));
    return events;
  }

  private static void add(List<Event> events, JsonNode task, String id) {
    long attempts = task.path("attempt").asLong() + 1;
    String why = task.path("failure_reason").asString(task.path("failure_kind").asString(""));
    switch (task.path("status").asString()) {
      case "RetryPending" ->
          events.add(
              event(
                  task,
                  id,
                  Mood.WAITS,
                  "%s; retry %d %s".formatted(why, attempts - 1, wait(task))));
      case "Success" ->
          events.add(
              event(task, id, Mood.GOOD, attempts == 1 ? "done" : "done at attempt " + attempts));
      case "Failure" ->
          events.add(
              event(
                  task,
                  id,
                  Mood.BAD,
                  "%s; given up after %d: %s"
                      .formatted(why, attempts, task.path("give_up_reason").asString())));
      default -> {}
    }
  }

  private static String wait(JsonNode task) {
    Duration wait =
        Duration.between(
            Instant.parse(task.path("last_updated").asString()),
            Instant.parse(task.path("next_retry_at").asString()));
    return String.format(Locale.ROOT, "in %.1f s", wait.toMillis() / 1000.0);
  }

  private static Event event(JsonNode task, String id, Mood mood, String text) {
    return new Event(
        Instant.parse(task.path("last_updated").asString()),
        task.path("kind").asString(),
        id.substring(id.length() - SHARD_LETTERS - SHORT_ID, id.length() - SHARD_LETTERS),
        mood,
        text);
  }
}
