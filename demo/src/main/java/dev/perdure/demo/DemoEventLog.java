// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Tells in a sentence each what became of tasks since the last look. */
public final class DemoEventLog {

  /** How something went, for its colour. */
  public enum EventOutcome {
    SUCCEEDED,
    RETRYING,
    FAILED,
    NOTIFIED
  }

  /**
   * Something that happened.
   *
   * @param task the end of the id, enough to tell tasks of a few minutes apart
   */
  public record Event(Instant at, String kind, String task, EventOutcome outcome, String text) {}

  /** The last of them say the shard, and so often nothing. */
  private static final int LETTERS = 9;

  private final Map<String, String> seenTasks = new HashMap<>();
  private final Set<String> seenDeliveries = new HashSet<>();

  /** What is new, oldest first; what is not among these is forgotten. */
  List<Event> newEvents(JsonNode tasks, JsonNode deliveries) {
    return Stream.of(readTasks(tasks), readDeliveries(deliveries))
        .flatMap(List::stream)
        .sorted(Comparator.comparing(Event::at))
        .toList();
  }

  private List<Event> readTasks(JsonNode tasks) {
    List<Event> events = new ArrayList<>();
    Map<String, String> now = new HashMap<>();
    for (JsonNode task : tasks) {
      String id = task.path("id").asString();
      String state = task.path("status").asString() + " " + task.path("attempt").asLong();
      now.put(id, state);
      if (!state.equals(seenTasks.get(id))) {
        event(task).ifPresent(events::add);
      }
    }
    seenTasks.clear();
    seenTasks.putAll(now);
    return events;
  }

  /** Who was told of a failure. */
  private List<Event> readDeliveries(JsonNode deliveries) {
    List<Event> events = new ArrayList<>();
    Set<String> now = new HashSet<>();
    for (JsonNode delivery : deliveries) {
      String id = delivery.path("id").asString();
      now.add(id);
      if (!seenDeliveries.contains(id)) {
        events.add(
            new Event(
                Instant.parse(delivery.path("ended_at").asString()),
                "",
                shortId(delivery.path("task_id").asString()),
                EventOutcome.NOTIFIED,
                "the pager was told that it failed"));
      }
    }
    seenDeliveries.clear();
    seenDeliveries.addAll(now);
    return events;
  }

  private static Optional<Event> event(JsonNode task) {
    long retries = task.path("attempt").asLong();
    String why = task.path("failure_reason").asString(task.path("failure_kind").asString(""));
    return switch (task.path("status").asString()) {
      case "RetryPending" ->
          Optional.of(
              event(
                  task,
                  EventOutcome.RETRYING,
                  "%s; retry %d %s%s".formatted(why, retries, wait(task), step(task))));
      case "Success" ->
          Optional.of(
              event(
                  task,
                  EventOutcome.SUCCEEDED,
                  retries == 0 ? "done" : "done after " + count(retries, "retry", "retries")));
      case "Failure" ->
          Optional.of(
              event(
                  task,
                  EventOutcome.FAILED,
                  "%s; given up after %s (%s)"
                      .formatted(
                          why,
                          count(retries + 1, "attempt", "attempts"),
                          task.path("give_up_reason").asString())));
      default -> Optional.empty();
    };
  }

  private static String count(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  private static String wait(JsonNode task) {
    Duration wait =
        Duration.between(
            Instant.parse(task.path("last_updated").asString()),
            Instant.parse(task.path("next_retry_at").asString()));
    return String.format(Locale.ROOT, "in %.1f s", wait.toMillis() / 1000.0);
  }

  /** Where it stands on its ladder, when it has one. */
  private static String step(JsonNode task) {
    long steps = task.path("steps").asLong();
    return steps > 1 ? ", step %d of %d".formatted(task.path("current_step").asLong(), steps) : "";
  }

  private static Event event(JsonNode task, EventOutcome eventOutcome, String text) {
    return new Event(
        Instant.parse(task.path("last_updated").asString()),
        task.path("kind").asString(),
        shortId(task.path("id").asString()),
        eventOutcome,
        text);
  }

  private static String shortId(String id) {
    return id.substring(Math.max(0, id.length() - LETTERS));
  }
}
