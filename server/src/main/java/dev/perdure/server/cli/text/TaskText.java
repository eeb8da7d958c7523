// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.server.cli.client.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Tasks, told to a person. */
public final class TaskText {

  private static final int LABEL_COLUMNS = 13;
  private static final int MOST_SUBMITTED = 20;
  private static final int LONGEST_JSON = 1_000;
  private static final int WIDE = 100;
  private static final int SHORT_KIND = 14;
  private static final int LONG_KIND = 30;

  private TaskText() {}

  /**
   * What became of a submission.
   *
   * @param call how the command line is called
   */
  public static void submitted(Page page, JsonNode tasks, String call) {
    List<Shown> views = Shown.all(tasks);
    String batch = views.isEmpty() ? "" : views.getFirst().text("batch_id");
    page.heading("batch %s: %s".formatted(batch, Numbers.count(views.size(), "task", "tasks")));
    new FittedTable<Shown>()
        .left("id", task -> task.piece("id"))
        .left("status", TaskWords::status)
        .text("kind", task -> task.piece("kind"))
        .text("name", task -> task.piece("name"))
        .print(page, views.subList(0, Math.min(MOST_SUBMITTED, views.size())));
    if (views.size() > MOST_SUBMITTED) {
      page.paragraph("… and %s more".formatted(Numbers.count(views.size() - MOST_SUBMITTED)));
    }
    page.blank();
    page.paragraph("Follow it with: %s watch %s".formatted(call, batch), Tone.FAINT);
  }

  /**
   * Some tasks of many.
   *
   * @param total how many there are, counted no further than 10,000
   */
  public static void list(Page page, List<JsonNode> tasks, long total, Instant now) {
    if (tasks.isEmpty()) {
      page.paragraph("No tasks.");
      return;
    }
    boolean wide = page.width() >= WIDE;
    FittedTable<Shown> table =
        new FittedTable<Shown>()
            .left("id", task -> task.piece("id"))
            .left("status", TaskWords::status)
            .left(
                "kind", task -> FittedTable.cut(task.piece("kind"), wide ? LONG_KIND : SHORT_KIND))
            .left("when", task -> Piece.of(TaskWords.when(task, now)));
    if (wide) {
      table
          .text("name", task -> task.piece("name"))
          .text("why", task -> Piece.of(TaskWords.why(task), Tone.FAINT));
    } else {
      table.text("name or why", TaskText::nameOrWhy);
    }
    table
        .right("attempt", task -> task.piece("attempt"))
        .right("retries left", task -> Piece.of(TaskWords.retriesLeft(task)))
        .print(page, tasks.stream().map(Shown::new).toList());
    if (tasks.size() < total) {
      String all = Numbers.count(total) + (total == Count.MOST ? " or more" : "");
      page.blank();
      page.paragraph(
          "%s of %s tasks; --limit shows more".formatted(Numbers.count(tasks.size()), all),
          Tone.FAINT);
    }
    Unclaimed.hint(tasks, now)
        .ifPresent(
            hint -> {
              page.blank();
              page.paragraph(hint, Tone.WARNING);
            });
  }

  private static Piece nameOrWhy(Shown task) {
    String why = TaskWords.why(task);
    return why.isEmpty() ? task.piece("name") : Piece.of(why, Tone.FAINT);
  }

  /** What is true of a task now, in a line. */
  public static void line(Page page, JsonNode json, Instant now) {
    Shown task = new Shown(json);
    String when = TaskWords.when(task, now);
    page.line(
        Piece.of("task " + task.text("id") + " is "),
        TaskWords.status(task),
        Piece.of(when.isEmpty() ? "" : ", " + when));
  }

  /** Everything about a task. */
  public static void show(Page page, JsonNode json, Instant now) {
    Shown task = new Shown(json);
    line(page, json, now);
    page.blank();
    field(page, "parked", parked(task));
    field(page, "kind", task.text("kind"));
    field(page, "name", task.text("name"));
    field(page, "local id", task.text("local_id"));
    field(page, "batch", task.text("batch_id"));
    field(page, "attempt", attempt(task, now));
    field(page, "losses", task.number("losses") == 0 ? "" : task.text("losses"));
    field(page, "worker", task.text("worker"));
    field(page, "why", TaskWords.why(task));
    field(page, "given up", task.text("give_up_reason"));
    field(page, "progress", progress(task));
    field(page, "priority", task.number("priority") == 0 ? "" : task.text("priority"));
    field(page, "timeout", task.has("timeout") ? task.text("timeout") + "s" : "");
    time(page, "created", task, "created_at", now);
    if (TaskWords.isPostponed(task)) {
      time(page, "due", task, "run_at", now);
    }
    time(page, "started", task, "started_at", now);
    time(page, "ended", task, "ended_at", now);
    time(page, "deadline", task, "deadline", now);
    field(page, "retry", json(json.path("retry")));
    field(page, "metadata", json(json.path("metadata")));
    field(page, "payload", json(json.path("payload")));
    field(page, "actions", json(json.path("actions")));
    field(page, "result", json(json.path("result")));
    field(page, "trace", task.text("trace_id"));
    attempts(page, json.path("attempts"), now);
  }

  /** Why it was set aside, which the attempt that did so says, and what to do about it. */
  private static String parked(Shown task) {
    if (!task.isTrue("parked")) {
      return "";
    }
    List<Shown> attempts = Shown.all(task.json().path("attempts"));
    String why = attempts.isEmpty() ? "" : attempts.getLast().text("message");
    return (why.isEmpty() ? "" : why + "; ") + "'resume' lets it go on";
  }

  private static String attempt(Shown task, Instant now) {
    Instant next = task.instant("next_retry_at");
    String left = TaskWords.retriesLeft(task);
    return task.text("attempt")
        + (left.isEmpty()
            ? ""
            : ", %s %s left".formatted(left, left.equals("1") ? "retry" : "retries"))
        + (next == null ? "" : ", the next %s (%s)".formatted(When.of(next, now), next));
  }

  private static String progress(Shown task) {
    long success = task.number("success");
    long failures = task.number("failures");
    if (success == 0 && failures == 0 && !task.has("expected_count")) {
      return "";
    }
    String of = task.has("expected_count") ? " of " + task.text("expected_count") : "";
    return "%s well, %s not%s".formatted(Numbers.count(success), Numbers.count(failures), of);
  }

  private static void attempts(Page page, JsonNode json, Instant now) {
    List<Shown> attempts = Shown.all(json);
    if (attempts.isEmpty()) {
      return;
    }
    page.blank();
    page.heading("attempts that ended");
    new FittedTable<Shown>()
        .right("attempt", attempt -> attempt.piece("number"))
        .left("outcome", attempt -> Piece.of(attempt.text("outcome"), tone(attempt)))
        .left("ended", attempt -> Piece.of(ended(attempt, now)))
        .right("took", attempt -> Piece.of(took(attempt)))
        .text("why", attempt -> Piece.of(why(attempt)))
        .left("worker", attempt -> Piece.of(attempt.text("worker"), Tone.FAINT))
        .print(page, attempts);
  }

  private static Tone tone(Shown attempt) {
    return switch (attempt.text("outcome")) {
      case "success" -> Tone.GOOD;
      case "failure", "lost" -> Tone.BAD;
      default -> Tone.PLAIN;
    };
  }

  private static String ended(Shown attempt, Instant now) {
    Instant at = attempt.instant("ended_at");
    return at == null ? "" : When.of(at, now);
  }

  private static String took(Shown attempt) {
    Instant from = attempt.instant("started_at");
    Instant to = attempt.instant("ended_at");
    return from == null || to == null ? "" : BriefTime.of(Duration.between(from, to));
  }

  private static String why(Shown attempt) {
    List<String> words = new ArrayList<>();
    for (String field : List.of("failure_kind", "status", "code")) {
      if (!attempt.text(field).isEmpty()) {
        words.add(attempt.text(field));
      }
    }
    String message = attempt.text("message");
    return String.join(" ", words) + (message.isEmpty() ? "" : ": " + message);
  }

  private static void time(Page page, String label, Shown task, String name, Instant now) {
    Instant at = task.instant(name);
    field(page, label, at == null ? "" : "%s (%s)".formatted(at, When.of(at, now)));
  }

  private static String json(JsonNode json) {
    boolean none = json.isNull() || json.isMissingNode() || (json.isContainer() && json.isEmpty());
    String text = none ? "" : json.toString();
    return text.length() > LONGEST_JSON
        ? text.substring(0, LONGEST_JSON) + "… (--json shows all of it)"
        : text;
  }

  private static void field(Page page, String label, String text) {
    if (!text.isEmpty()) {
      page.field(label, LABEL_COLUMNS, text);
    }
  }
}
