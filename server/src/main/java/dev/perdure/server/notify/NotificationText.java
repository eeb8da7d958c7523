// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.BatchRun.RunFailure;
import dev.perdure.engine.task.RetryCounters;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import dev.perdure.policy.Failure;
import dev.perdure.server.notify.ChannelRateLimit.PendingSummary;
import dev.perdure.server.redact.Redaction;
import dev.perdure.server.webhook.TaskSummary;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes notifications for people: what happened, why, which attempt, and a link.
 *
 * @param hostUrl the base of links; null for no links
 */
record NotificationText(@Nullable URI hostUrl) {

  /** Well below the 4096 characters of Telegram, with everything that stands around it. */
  private static final int MAX_REASON = 1_000;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final Duration ABOUT_A_MINUTE = Duration.ofSeconds(90);

  /** The text about a change of a task. */
  String ofTask(Task before, TaskChange change, NotifyEvent event) {
    String kind = before.definition().kind();
    String name = before.definition().name();
    long attempt = before.retryCounters().attempt();
    AttemptDetails details = TaskSummary.shownAttempt(before, change);
    List<String> lines = new ArrayList<>();
    lines.add(
        headline(
            name == null ? kind : name,
            event,
            attemptsBegun(before),
            "attempt",
            change.giveUpReason()));
    if (event != NotifyEvent.SUCCESS) {
      add(lines, details == null ? null : reason(details));
    }
    lines.add("Kind %s, attempt %d, task %s".formatted(line(kind), attempt, before.id()));
    addLink(lines, "/ui/tasks/", before.id());
    return String.join("\n", lines);
  }

  /** While no attempt runs, the number of the attempt is that of the next one. */
  private static long attemptsBegun(Task before) {
    RetryCounters counters = before.retryCounters();
    boolean begun =
        switch (before.state()) {
          case CLAIMED, RUNNING -> true;
          case WAITING, PENDING, RETRY_PENDING -> counters.losses() > 0;
          case SUCCESS, FAILURE, CANCELED -> before.epoch() > 0;
        };
    return counters.attempt() + (begun ? 1 : 0);
  }

  /** The text about the end of a run of a batch. */
  String ofBatch(
      UUID batch,
      BatchDefinition definition,
      int run,
      NotifyEvent event,
      @Nullable RunFailure failure,
      @Nullable TaskGiveUpReason giveUpReason) {
    String name = definition.name();
    List<String> lines = new ArrayList<>();
    lines.add(
        headline(name == null ? "Batch" : "Batch " + name, event, run + 1L, "run", giveUpReason));
    if (failure != null) {
      String reason = failure.reason() == null ? failure.kind() : failure.reason();
      add(lines, reason == null ? null : line(reason));
      lines.add("First failed task %s".formatted(failure.task()));
    }
    lines.add("Run %d, batch %s".formatted(run, batch));
    addLink(lines, "/ui/batches/", batch);
    return String.join("\n", lines);
  }

  private static String headline(
      String title,
      NotifyEvent event,
      long tries,
      String what,
      @Nullable TaskGiveUpReason giveUpReason) {
    String after = tries == 1 ? "1 " + what : tries + " " + what + "s";
    return switch (event) {
      case SUCCESS -> "✓ %s succeeded%s".formatted(line(title), tries > 1 ? " after " + after : "");
      case RETRY -> "↻ %s failed and will be tried again".formatted(line(title));
      case EXHAUSTED, FAILURE ->
          "✗ %s failed after %s%s".formatted(line(title), after, why(giveUpReason));
    };
  }

  private static String why(@Nullable TaskGiveUpReason reason) {
    if (reason == null) {
      return "";
    }
    return switch (reason) {
      case NO_POLICY -> "";
      case NOT_RETRYABLE -> ": this failure is not retried";
      case EXHAUSTED -> ": no retries are left";
      case EXPIRED -> ": its time is up";
      case LOST -> ": too many of its workers were lost";
      case UPSTREAM_FAILED -> ": a task that it depends on failed";
    };
  }

  /** Such as {@code http 503 no_slots: no free slot}. */
  private static @Nullable String reason(AttemptDetails details) {
    String facts =
        Stream.of(
                details.failureKind(),
                details.status() == Failure.NO_STATUS ? null : "" + details.status(),
                details.code())
            .filter(Objects::nonNull)
            .collect(Collectors.joining(" "));
    String message = details.message();
    String reason = message == null ? facts : facts.isEmpty() ? message : facts + ": " + message;
    return reason.isEmpty() ? null : line(reason);
  }

  private static void add(List<String> lines, @Nullable String line) {
    if (line != null && !line.isEmpty()) {
      lines.add(line);
    }
  }

  private void addLink(List<String> lines, String path, UUID id) {
    if (hostUrl != null) {
      lines.add(hostUrl.toString().replaceFirst("/$", "") + path + id);
    }
  }

  /** One line without secrets, cut when it is long. */
  static String line(String text) {
    String start = text.length() > 2 * MAX_REASON ? text.substring(0, 2 * MAX_REASON) : text;
    String plain =
        Redaction.text(start)
            .replaceAll("[\\p{Cntrl}\\s]+", " ")
            .replaceAll("\\p{Cs}", "?")
            .strip();
    if (plain.length() <= MAX_REASON && start.length() == text.length()) {
      return plain;
    }
    int end = Math.min(plain.length(), MAX_REASON);
    boolean splitsPair = end > 0 && Character.isHighSurrogate(plain.charAt(end - 1));
    return plain.substring(0, splitsPair ? end - 1 : end) + "…";
  }

  static String withNextTry(String text, Instant next) {
    return text + "\nNext try at " + TIME.format(next);
  }

  /** Such as {@code … and 132 more in the last minute: 120 failed, 12 exhausted}. */
  static String ofSummary(PendingSummary summary, Instant now) {
    long total = summary.leftOut().values().stream().mapToLong(Long::longValue).sum();
    String counts =
        Stream.of(NotifyEvent.values())
            .filter(summary.leftOut()::containsKey)
            .map(event -> summary.leftOut().get(event) + " " + event.verb())
            .collect(Collectors.joining(", "));
    boolean recent = Duration.between(summary.since(), now).compareTo(ABOUT_A_MINUTE) <= 0;
    return "… and %d more %s: %s"
        .formatted(
            total, recent ? "in the last minute" : "since " + TIME.format(summary.since()), counts);
  }

  static String test(String channel) {
    return "Test message for the channel %s: notifications arrive here.".formatted(channel);
  }
}
