// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.DeletedSchedule;
import dev.perdure.client.FiringInfo;
import dev.perdure.client.ManualFiring;
import dev.perdure.client.RetryUnderWay;
import dev.perdure.client.ScheduleInfo;
import dev.perdure.client.SchedulePreview;
import dev.perdure.client.TaskStatus;
import dev.perdure.policy.InstantText;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Prints schedules for people. */
public final class ScheduleText {

  private static final int NAME_SHARE = 5;

  private ScheduleText() {}

  /**
   * A list of schedules.
   *
   * @param more whether there are more than these
   */
  public static void list(
      TerminalWriter writer, List<ScheduleInfo> schedules, boolean more, Instant now) {
    if (schedules.isEmpty()) {
      writer.paragraph("No schedules.");
      return;
    }
    new FittedTable<ScheduleInfo>()
        .left("name", one -> cut(one.name(), writer.textWidth() / NAME_SHARE))
        .fill("when", one -> StyledText.of(one.description()))
        .left("next", one -> next(one, now))
        .left("last", one -> last(one.last()))
        .left("retry", one -> StyledText.of(retries(one), AnsiStyle.WARNING))
        .print(writer, schedules);
    problems(writer, schedules);
    if (more) {
      writer.blank();
      writer.paragraph("There are more; --limit shows them.", AnsiStyle.FAINT);
    }
  }

  private static void problems(TerminalWriter writer, List<ScheduleInfo> schedules) {
    List<ScheduleInfo> failing = schedules.stream().filter(one -> one.problem() != null).toList();
    if (!failing.isEmpty()) {
      writer.blank();
      failing.forEach(
          one ->
              writer.paragraph(
                  "%s cannot fire: %s".formatted(one.name(), one.problem()), AnsiStyle.BAD));
    }
  }

  private static StyledText cut(String text, int columns) {
    return FittedTable.truncate(StyledText.of(text), columns);
  }

  private static StyledText next(ScheduleInfo schedule, Instant now) {
    Instant at = schedule.nextAt();
    if (!schedule.enabled()) {
      return StyledText.of("paused", AnsiStyle.FAINT);
    }
    return StyledText.of(at == null ? "never" : RelativeTime.of(at, now));
  }

  private static StyledText last(@Nullable FiringInfo firing) {
    return firing == null ? StyledText.of("") : outcome(firing);
  }

  private static StyledText outcome(FiringInfo firing) {
    AnsiStyle style =
        switch (firing.outcome()) {
          case "fired" -> AnsiStyle.GOOD;
          case "missed" -> AnsiStyle.BAD;
          case "skipped" -> AnsiStyle.WARNING;
          default -> AnsiStyle.PLAIN;
        };
    return StyledText.of(firing.outcome(), style);
  }

  /** The badge of the first retry, and how many more there are. */
  private static String retries(ScheduleInfo schedule) {
    List<RetryUnderWay> retries = schedule.retriesUnderWay();
    if (retries.isEmpty()) {
      return "";
    }
    String others = retries.size() == 1 ? "" : " +" + (retries.size() - 1);
    return shortBadge(retries.getFirst()) + others;
  }

  /** The badge without the word that the title of its column says; otherwise the attempt. */
  private static String shortBadge(RetryUnderWay retry) {
    return retry.badge() == null
        ? Long.toString(retry.attempt())
        : retry.badge().replaceFirst("^attempt ", "");
  }

  /** A schedule in one line. */
  public static void line(TerminalWriter writer, ScheduleInfo schedule, Instant now) {
    writer.paragraph("%s: %s".formatted(schedule.name(), when(schedule, now)));
  }

  private static String when(ScheduleInfo schedule, Instant now) {
    StyledText next = next(schedule, now);
    return schedule.description() + (schedule.enabled() ? ", next " : ", ") + next.text();
  }

  /**
   * Everything about a schedule.
   *
   * @param command how the command line is called
   */
  public static void show(
      TerminalWriter writer, ScheduleInfo schedule, Instant now, String command) {
    line(writer, schedule, now);
    writer.blank();
    TaskText.copyable(writer, "id", schedule.id().toString());
    TaskText.field(writer, "problem", schedule.problem());
    TaskText.field(writer, "overlap", overlap(schedule.overlap()));
    TaskText.field(writer, "misfire", misfire(schedule.misfire()));
    TaskText.field(
        writer,
        "queued",
        schedule.queued() == 0
            ? ""
            : NumberFormatting.count(schedule.queued(), "firing waits", "firings wait")
                + " until it is no longer busy");
    TaskText.field(writer, "retries", schedule.retryDescription());
    TaskText.field(writer, "notify", notifications(schedule.notifications()));
    String show = "%s schedule show %s".formatted(command, schedule.id());
    TaskText.json(writer, "retry", schedule.retry(), show);
    TaskText.json(writer, "task", schedule.task(), show);
    TaskText.json(writer, "batch", schedule.batch(), show);
    TaskText.time(writer, "created", schedule.createdAt(), now);
    TaskText.time(writer, "updated", schedule.updatedAt(), now);
    underWay(writer, schedule.retriesUnderWay(), now);
    nextFirings(writer, schedule.nextFirings(), now);
    lastFirings(writer, schedule.lastFirings());
  }

  private static String overlap(String overlap) {
    return switch (overlap) {
      case "skip" -> "skip: does not fire while it is busy";
      case "queue" -> "queue: fires when it is no longer busy";
      case "allow" -> "allow: fires even while it is busy";
      default -> overlap;
    };
  }

  private static String misfire(String misfire) {
    return switch (misfire) {
      case "fire_once" -> "fire_once: fires once for all firings that were missed";
      case "skip" -> "skip: leaves out firings that were missed";
      default -> misfire;
    };
  }

  /** "ops on failure and exhausted; dev on retry". */
  private static String notifications(List<JsonNode> entries) {
    return entries.stream()
        .map(
            entry ->
                "%s on %s"
                    .formatted(
                        entry.path("channel").asString(""),
                        entry
                            .path("on")
                            .valueStream()
                            .map(JsonNode::asString)
                            .collect(Collectors.joining(", "))))
        .collect(Collectors.joining("; "));
  }

  private static void underWay(TerminalWriter writer, List<RetryUnderWay> retries, Instant now) {
    if (retries.isEmpty()) {
      return;
    }
    writer.blank();
    writer.heading("retries under way");
    new FittedTable<RetryUnderWay>()
        .left("task or batch", retry -> submitted(retry.task(), retry.batchId(), writer))
        .left("status", retry -> status(retry.status()))
        .left("attempt", retry -> StyledText.of(shortBadge(retry)))
        .left("next", retry -> nextRetry(retry.nextRetryAt(), now))
        .wrapped("failure", retry -> StyledText.of(failure(retry), AnsiStyle.FAINT))
        .print(writer, retries);
  }

  private static StyledText nextRetry(@Nullable Instant at, Instant now) {
    return StyledText.of(at == null ? "" : RelativeTime.of(at, now));
  }

  private static String failure(RetryUnderWay retry) {
    String what = retry.failureCode() == null ? retry.failureKind() : retry.failureCode();
    String reason = retry.failureReason();
    if (what == null || reason == null) {
      return what == null ? String.valueOf(reason == null ? "" : reason) : what;
    }
    return what + ": " + reason;
  }

  private static StyledText status(String status) {
    return StyledText.of(status, TaskLabels.style(TaskStatus.of(status)));
  }

  private static void nextFirings(TerminalWriter writer, List<Instant> firings, Instant now) {
    if (!firings.isEmpty()) {
      writer.blank();
      writer.heading("next firings");
      instants(writer, firings, now);
    }
  }

  private static void instants(TerminalWriter writer, List<Instant> firings, Instant now) {
    firings.forEach(
        at ->
            writer.line(
                StyledText.of(String.valueOf(InstantText.of(at))),
                StyledText.of("  " + RelativeTime.of(at, now), AnsiStyle.FAINT)));
  }

  private static void lastFirings(TerminalWriter writer, List<FiringInfo> firings) {
    if (firings.isEmpty()) {
      return;
    }
    writer.blank();
    writer.heading("last firings");
    new FittedTable<FiringInfo>()
        .left("scheduled for", firing -> StyledText.of(instant(firing.scheduledFor())))
        .left("outcome", firing -> outcome(firing))
        .left("status", firing -> status(firing))
        .left("task or batch", firing -> submitted(firing.task(), firing.batchId(), writer))
        .text("note", firing -> StyledText.of(note(firing), AnsiStyle.FAINT))
        .print(writer, firings);
  }

  private static String instant(Instant at) {
    return String.valueOf(InstantText.of(at));
  }

  private static StyledText status(FiringInfo firing) {
    return firing.status() == null ? StyledText.of("") : status(firing.status());
  }

  /** The id of the task; of the batch if it has several. */
  private static StyledText submitted(
      @Nullable UUID task, @Nullable UUID batch, TerminalWriter writer) {
    UUID id = task == null ? batch : task;
    return id == null ? StyledText.of("") : TaskLabels.id(id, writer);
  }

  private static String note(FiringInfo firing) {
    if (firing.manual()) {
      return "by hand";
    }
    return firing.missed() == 0
        ? ""
        : "after %s missed".formatted(NumberFormatting.count(firing.missed()));
  }

  /**
   * What a schedule submitted when it was triggered by hand.
   *
   * @param command how the command line is called
   */
  public static void triggered(
      TerminalWriter writer, String name, ManualFiring firing, String command) {
    writer.line(
        StyledText.of(
            firing.task() == null
                ? "%s fired: batch %s".formatted(name, firing.batchId())
                : "%s fired: task %s".formatted(name, firing.task())));
    writer.hint("Follow it with:", "%s watch %s".formatted(command, firing.batchId()));
  }

  public static void deleted(TerminalWriter writer, DeletedSchedule deleted) {
    writer.paragraph(
        "%s deleted; %s"
            .formatted(
                deleted.schedule().name(),
                deleted.canceled() == 0
                    ? "no task was live"
                    : NumberFormatting.count(deleted.canceled(), "live task was", "live tasks were")
                        + " canceled"));
  }

  public static void retriesCanceled(TerminalWriter writer, String name, long canceled) {
    writer.paragraph(
        canceled == 0
            ? "%s: no retry was under way".formatted(name)
            : "%s: %s canceled; the schedule goes on"
                .formatted(name, NumberFormatting.count(canceled, "retry", "retries")));
  }

  /** What a trigger means. */
  public static void preview(TerminalWriter writer, SchedulePreview preview, Instant now) {
    writer.heading(preview.words());
    instants(writer, preview.next(), now);
    if (!preview.warnings().isEmpty()) {
      writer.blank();
      preview
          .warnings()
          .forEach(
              warning ->
                  writer.paragraph(
                      "%s: %s".formatted(warning.at(), warning.text()), AnsiStyle.WARNING));
    }
  }
}
