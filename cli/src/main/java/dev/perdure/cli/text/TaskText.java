// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.CappedCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Tasks, told to a person. */
public final class TaskText {

  private static final int LABEL_COLUMNS = 13;
  private static final int MAX_SUBMITTED_SHOWN = 20;
  private static final int MAX_JSON_LENGTH = 1_000;
  private static final int WIDE = 100;
  private static final int SHORT_KIND = 14;
  private static final int LONG_KIND = 30;

  private TaskText() {}

  /**
   * What became of a submission.
   *
   * @param call how the command line is called
   */
  public static void submitted(TerminalWriter terminalWriter, JsonNode tasks, String call) {
    List<JsonView> views = JsonView.all(tasks);
    String batch = views.isEmpty() ? "" : views.getFirst().text("batch_id");
    terminalWriter.heading(
        "batch %s: %s".formatted(batch, NumberFormatting.count(views.size(), "task", "tasks")));
    new FittedTable<JsonView>()
        .left("id", task -> task.piece("id"))
        .left("status", TaskLabels::status)
        .text("kind", task -> task.piece("kind"))
        .text("name", task -> task.piece("name"))
        .print(terminalWriter, views.subList(0, Math.min(MAX_SUBMITTED_SHOWN, views.size())));
    if (views.size() > MAX_SUBMITTED_SHOWN) {
      terminalWriter.paragraph(
          "… and %s more".formatted(NumberFormatting.count(views.size() - MAX_SUBMITTED_SHOWN)));
    }
    terminalWriter.blank();
    terminalWriter.paragraph("Follow it with: %s watch %s".formatted(call, batch), AnsiStyle.FAINT);
  }

  /**
   * Some tasks of many.
   *
   * @param total how many there are, counted no further than 10,000
   */
  public static void list(
      TerminalWriter terminalWriter, List<JsonNode> tasks, long total, Instant now) {
    if (tasks.isEmpty()) {
      terminalWriter.paragraph("No tasks.");
      return;
    }
    boolean wide = terminalWriter.width() >= WIDE;
    FittedTable<JsonView> table =
        new FittedTable<JsonView>()
            .left("id", task -> task.piece("id"))
            .left("status", TaskLabels::status)
            .left(
                "kind",
                task -> FittedTable.truncate(task.piece("kind"), wide ? LONG_KIND : SHORT_KIND))
            .left("when", task -> StyledText.of(TaskLabels.when(task, now)));
    if (wide) {
      table
          .text("name", task -> task.piece("name"))
          .text("why", task -> StyledText.of(TaskLabels.why(task), AnsiStyle.FAINT));
    } else {
      table.text("name or why", TaskText::nameOrWhy);
    }
    table
        .right("attempt", task -> task.piece("attempt"))
        .right("retries left", task -> StyledText.of(TaskLabels.retriesLeft(task)))
        .print(terminalWriter, tasks.stream().map(JsonView::new).toList());
    if (tasks.size() < total) {
      String all = NumberFormatting.count(total) + (total == CappedCount.CAP ? " or more" : "");
      terminalWriter.blank();
      terminalWriter.paragraph(
          "%s of %s tasks; --limit shows more".formatted(NumberFormatting.count(tasks.size()), all),
          AnsiStyle.FAINT);
    }
    UnclaimedHint.of(tasks, now)
        .ifPresent(
            hint -> {
              terminalWriter.blank();
              terminalWriter.paragraph(hint, AnsiStyle.WARNING);
            });
  }

  private static StyledText nameOrWhy(JsonView task) {
    String why = TaskLabels.why(task);
    return why.isEmpty() ? task.piece("name") : StyledText.of(why, AnsiStyle.FAINT);
  }

  /** What is true of a task now, in a line. */
  public static void line(TerminalWriter terminalWriter, JsonNode json, Instant now) {
    JsonView task = new JsonView(json);
    String when = TaskLabels.when(task, now);
    terminalWriter.line(
        StyledText.of("task " + task.text("id") + " is "),
        TaskLabels.status(task),
        StyledText.of(when.isEmpty() ? "" : ", " + when));
  }

  /** Everything about a task. */
  public static void show(TerminalWriter terminalWriter, JsonNode json, Instant now) {
    JsonView task = new JsonView(json);
    line(terminalWriter, json, now);
    terminalWriter.blank();
    field(terminalWriter, "parked", parked(task));
    field(terminalWriter, "kind", task.text("kind"));
    field(terminalWriter, "name", task.text("name"));
    field(terminalWriter, "local id", task.text("local_id"));
    field(terminalWriter, "batch", task.text("batch_id"));
    field(terminalWriter, "attempt", attempt(task, now));
    field(terminalWriter, "losses", task.number("losses") == 0 ? "" : task.text("losses"));
    field(terminalWriter, "worker", task.text("worker"));
    field(terminalWriter, "why", TaskLabels.why(task));
    field(terminalWriter, "given up", task.text("give_up_reason"));
    field(terminalWriter, "progress", progress(task));
    field(terminalWriter, "priority", task.number("priority") == 0 ? "" : task.text("priority"));
    field(terminalWriter, "timeout", task.has("timeout") ? task.text("timeout") + "s" : "");
    time(terminalWriter, "created", task, "created_at", now);
    if (TaskLabels.isPostponed(task)) {
      time(terminalWriter, "due", task, "run_at", now);
    }
    time(terminalWriter, "started", task, "started_at", now);
    time(terminalWriter, "ended", task, "ended_at", now);
    time(terminalWriter, "deadline", task, "deadline", now);
    field(terminalWriter, "retry", json(json.path("retry")));
    field(terminalWriter, "metadata", json(json.path("metadata")));
    field(terminalWriter, "payload", json(json.path("payload")));
    field(terminalWriter, "actions", json(json.path("actions")));
    field(terminalWriter, "result", json(json.path("result")));
    field(terminalWriter, "trace", task.text("trace_id"));
    attempts(terminalWriter, json.path("attempts"), now);
  }

  /** Why it was set aside, which the attempt that did so says, and what to do about it. */
  private static String parked(JsonView task) {
    if (!task.isTrue("parked")) {
      return "";
    }
    List<JsonView> attempts = JsonView.all(task.json().path("attempts"));
    String why = attempts.isEmpty() ? "" : attempts.getLast().text("message");
    return (why.isEmpty() ? "" : why + "; ") + "'resume' lets it go on";
  }

  private static String attempt(JsonView task, Instant now) {
    Instant next = task.instant("next_retry_at");
    String left = TaskLabels.retriesLeft(task);
    return task.text("attempt")
        + (left.isEmpty()
            ? ""
            : ", %s %s left".formatted(left, left.equals("1") ? "retry" : "retries"))
        + (next == null ? "" : ", the next %s (%s)".formatted(RelativeTime.of(next, now), next));
  }

  private static String progress(JsonView task) {
    long success = task.number("success");
    long failures = task.number("failures");
    if (success == 0 && failures == 0 && !task.has("expected_count")) {
      return "";
    }
    String of = task.has("expected_count") ? " of " + task.text("expected_count") : "";
    return "%s well, %s not%s"
        .formatted(NumberFormatting.count(success), NumberFormatting.count(failures), of);
  }

  private static void attempts(TerminalWriter terminalWriter, JsonNode json, Instant now) {
    List<JsonView> attempts = JsonView.all(json);
    if (attempts.isEmpty()) {
      return;
    }
    terminalWriter.blank();
    terminalWriter.heading("attempts that ended");
    new FittedTable<JsonView>()
        .right("attempt", attempt -> attempt.piece("number"))
        .left("outcome", attempt -> StyledText.of(attempt.text("outcome"), style(attempt)))
        .left("ended", attempt -> StyledText.of(ended(attempt, now)))
        .right("took", attempt -> StyledText.of(took(attempt)))
        .text("why", attempt -> StyledText.of(why(attempt)))
        .left("worker", attempt -> StyledText.of(attempt.text("worker"), AnsiStyle.FAINT))
        .print(terminalWriter, attempts);
  }

  private static AnsiStyle style(JsonView attempt) {
    return switch (attempt.text("outcome")) {
      case "success" -> AnsiStyle.GOOD;
      case "failure", "lost" -> AnsiStyle.BAD;
      default -> AnsiStyle.PLAIN;
    };
  }

  private static String ended(JsonView attempt, Instant now) {
    Instant at = attempt.instant("ended_at");
    return at == null ? "" : RelativeTime.of(at, now);
  }

  private static String took(JsonView attempt) {
    Instant from = attempt.instant("started_at");
    Instant to = attempt.instant("ended_at");
    return from == null || to == null ? "" : ShortDuration.of(Duration.between(from, to));
  }

  private static String why(JsonView attempt) {
    List<String> words = new ArrayList<>();
    for (String field : List.of("failure_kind", "status", "code")) {
      if (!attempt.text(field).isEmpty()) {
        words.add(attempt.text(field));
      }
    }
    String message = attempt.text("message");
    return String.join(" ", words) + (message.isEmpty() ? "" : ": " + message);
  }

  private static void time(
      TerminalWriter terminalWriter, String label, JsonView task, String name, Instant now) {
    Instant at = task.instant(name);
    field(
        terminalWriter, label, at == null ? "" : "%s (%s)".formatted(at, RelativeTime.of(at, now)));
  }

  private static String json(JsonNode json) {
    boolean none = json.isNull() || json.isMissingNode() || (json.isContainer() && json.isEmpty());
    String text = none ? "" : json.toString();
    return text.length() > MAX_JSON_LENGTH
        ? text.substring(0, MAX_JSON_LENGTH) + "… (--json shows all of it)"
        : text;
  }

  private static void field(TerminalWriter terminalWriter, String label, String text) {
    if (!text.isEmpty()) {
      terminalWriter.field(label, LABEL_COLUMNS, text);
    }
  }
}
