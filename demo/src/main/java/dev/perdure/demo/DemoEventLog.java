// SPDX-License-Identifier: Apache-2.0
package dev.perdure.demo;

import dev.perdure.client.DeliveryInfo;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import dev.perdure.client.WaitingRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the tasks and deliveries of the server into events, each reported once. */
public final class DemoEventLog {

  /** The outcome of an event, which chooses its color. */
  public enum EventOutcome {
    SUCCEEDED,
    RETRYING,
    FAILED,
    NOTIFIED
  }

  /** Something that happened. */
  public record Event(Instant at, String kind, UUID task, EventOutcome outcome, String text) {}

  private static final Pattern STATUS = Pattern.compile("\\b[1-5]\\d\\d$");

  private Map<UUID, String> seenTasks = new HashMap<>();
  private Set<UUID> seenDeliveries = new HashSet<>();

  /** The new events, oldest first. Tasks and deliveries that are not passed again are forgotten. */
  List<Event> newEvents(
      List<WaitingRetry> retries, List<TaskInfo> ended, List<DeliveryInfo> deliveries) {
    List<Event> events = new ArrayList<>();
    Map<UUID, String> tasks = new HashMap<>();
    for (WaitingRetry retry : retries) {
      if (isNew(retry.task(), tasks)) {
        events.add(event(retry));
      }
    }
    for (TaskInfo task : ended) {
      if (isNew(task, tasks)) {
        events.add(event(task));
      }
    }
    seenTasks = tasks;
    events.addAll(notifications(deliveries));
    events.sort(Comparator.comparing(Event::at));
    return events;
  }

  private boolean isNew(TaskInfo task, Map<UUID, String> tasks) {
    String state = task.status() + " " + task.attempt();
    tasks.put(task.id(), state);
    return !state.equals(seenTasks.get(task.id()));
  }

  private List<Event> notifications(List<DeliveryInfo> deliveries) {
    List<Event> events = new ArrayList<>();
    Set<UUID> ids = new HashSet<>();
    for (DeliveryInfo delivery : deliveries) {
      ids.add(delivery.id());
      if (!seenDeliveries.contains(delivery.id())) {
        Instant at = delivery.endedAt() == null ? delivery.lastUpdated() : delivery.endedAt();
        events.add(
            new Event(at, "", delivery.taskId(), EventOutcome.NOTIFIED, "the pager was notified"));
      }
    }
    seenDeliveries = ids;
    return events;
  }

  private static Event event(WaitingRetry retry) {
    TaskInfo task = retry.task();
    String text = "%s; retries %s (%s)".formatted(failure(task), delay(task), retry.badge());
    return event(task, EventOutcome.RETRYING, text);
  }

  private static Event event(TaskInfo task) {
    if (task.status() == TaskStatus.SUCCESS) {
      String text =
          task.attempt() == 0 ? "done" : "done after " + count(task.attempt(), "retry", "retries");
      return event(task, EventOutcome.SUCCEEDED, text);
    }
    String text =
        "%s; gave up (%s, %s)"
            .formatted(
                failure(task),
                task.giveUpReason(),
                count(task.attempt() + 1, "attempt", "attempts"));
    return event(task, EventOutcome.FAILED, text);
  }

  private static Event event(TaskInfo task, EventOutcome outcome, String text) {
    return new Event(task.lastUpdated(), task.kind(), task.id(), outcome, text);
  }

  /** Short enough for a line of 80 columns: the HTTP status, {@code timeout}, or the reason. */
  private static String failure(TaskInfo task) {
    String reason = task.failureReason() == null ? "failed" : task.failureReason();
    Matcher status = STATUS.matcher(reason);
    if ("webhook_failure".equals(task.failureKind()) && status.find()) {
      return "HTTP " + status.group();
    }
    return "timeout".equals(task.failureKind()) ? "timeout" : reason;
  }

  private static String count(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  private static String delay(TaskInfo task) {
    Instant next = task.nextRetryAt();
    return next == null
        ? "now"
        : String.format(
            Locale.ROOT,
            "in %.1f s",
            Duration.between(task.lastUpdated(), next).toMillis() / 1000.0);
  }
}
