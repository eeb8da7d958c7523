// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.watch.CappedCount;
import dev.perdure.client.AttemptInfo;
import dev.perdure.client.BlockedBy;
import dev.perdure.client.ParentInfo;
import dev.perdure.client.SubmitResponse;
import dev.perdure.client.TaskInfo;
import dev.perdure.policy.InstantText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Prints tasks for people. */
public final class TaskText {

  private static final int LABEL_COLUMNS = 13;
  private static final int MAX_SUBMITTED_SHOWN = 20;
  private static final int MAX_JSON_LENGTH = 1_000;
  private static final int WIDE = 100;
  private static final int NAME_SHARE = 5;

  private TaskText() {}

  /**
   * The receipt of a submission.
   *
   * @param command how the command line is called
   */
  public static void submitted(TerminalWriter writer, SubmitResponse response, String command) {
    List<TaskInfo> tasks = response.tasks();
    writer.heading(
        "batch %s: %s%s"
            .formatted(
                response.batchId(),
                NumberFormatting.count(tasks.size(), "task", "tasks"),
                existing(response.duplicates().size())));
    FittedTable<Integer> table =
        new FittedTable<Integer>()
            .left("id", i -> TaskLabels.id(tasks.get(i).id(), writer))
            .left("status", i -> TaskLabels.status(tasks.get(i)));
    if (!response.duplicates().isEmpty()) {
      table.left("stored", i -> StyledText.of(response.isDuplicate(i) ? "before" : "now"));
    }
    table
        .text("kind", i -> StyledText.of(tasks.get(i).kind()))
        .text("name", i -> TaskLabels.text(tasks.get(i).name()))
        .print(
            writer,
            IntStream.range(0, Math.min(MAX_SUBMITTED_SHOWN, tasks.size())).boxed().toList());
    if (tasks.size() > MAX_SUBMITTED_SHOWN) {
      writer.paragraph(
          "… and %s more".formatted(NumberFormatting.count(tasks.size() - MAX_SUBMITTED_SHOWN)));
    }
    writer.blank();
    writer.hint("Follow it with:", "%s watch %s".formatted(command, response.batchId()));
  }

  private static String existing(int duplicates) {
    return duplicates == 0
        ? ""
        : ", %s existed already".formatted(NumberFormatting.count(duplicates));
  }

  /** The receipt of a submission whose tasks cannot be read. */
  public static void submittedUnread(TerminalWriter writer, int tasks) {
    writer.paragraph(
        "%s submitted, but cannot be read now"
            .formatted(NumberFormatting.count(tasks, "task was", "tasks were")));
  }

  /**
   * A list of tasks.
   *
   * @param total how many tasks match, counted up to 10,000
   */
  public static void list(TerminalWriter writer, List<TaskInfo> tasks, long total, Instant now) {
    if (tasks.isEmpty()) {
      writer.paragraph("No tasks.");
      return;
    }
    table(writer, now).print(writer, tasks);
    if (tasks.size() < total) {
      String all = NumberFormatting.count(total) + (total == CappedCount.CAP ? " or more" : "");
      writer.blank();
      writer.paragraph(
          "%s of %s tasks; --limit shows more".formatted(NumberFormatting.count(tasks.size()), all),
          AnsiStyle.FAINT);
    }
    UnclaimedHint.print(writer, tasks, now);
  }

  /** A narrow terminal has room for the name or the kind, a wide one for both. */
  private static FittedTable<TaskInfo> table(TerminalWriter writer, Instant now) {
    FittedTable<TaskInfo> table =
        new FittedTable<TaskInfo>()
            .left("id", task -> TaskLabels.id(task.id(), writer))
            .left("status", TaskLabels::status);
    if (writer.textWidth() >= WIDE) {
      table
          .left("kind", task -> cut(writer, StyledText.of(task.kind())))
          .left("name", task -> cut(writer, TaskLabels.text(task.name())));
    } else {
      table.left("name", task -> cut(writer, TaskLabels.nameOrKind(task)));
    }
    return table
        .left("when", task -> TaskLabels.shortWhen(task, now))
        .text("reason", task -> TaskLabels.reason(task, writer.textWidth() < WIDE))
        .right("attempt", task -> StyledText.of(Long.toString(task.attempt())))
        .right("retries left", task -> StyledText.of(TaskLabels.retriesLeft(task)));
  }

  /** Leaves room for the columns that follow. */
  private static StyledText cut(TerminalWriter writer, StyledText text) {
    return FittedTable.truncate(text, writer.textWidth() / NAME_SHARE);
  }

  /** A task's status in one line. */
  public static void line(TerminalWriter writer, TaskInfo task, Instant now) {
    String badge = task.badge() == null ? "" : ", " + task.badge();
    String when = TaskLabels.when(task, now);
    writer.line(
        StyledText.of("task " + task.id() + " is "),
        TaskLabels.status(task),
        StyledText.of(badge + (when.isEmpty() ? "" : ", " + when)));
  }

  /**
   * Everything about a task.
   *
   * @param command how the command line is called
   */
  public static void show(TerminalWriter writer, TaskInfo task, Instant now, String command) {
    line(writer, task, now);
    writer.blank();
    parked(writer, task, command);
    BlockedBy limit = task.blockedBy();
    copyable(writer, "waits for", limit == null ? null : LimitText.waitsFor(limit, now));
    field(writer, "kind", task.kind());
    field(writer, "name", task.name());
    field(writer, "local id", task.localId());
    copyable(writer, "batch", task.batchId().toString());
    field(writer, "attempt", attempt(task, now));
    field(writer, "losses", unlessZero(task.losses()));
    field(writer, "worker", task.worker());
    field(writer, "failure", task.parked() ? "" : TaskLabels.failure(task));
    field(writer, "gave up", task.giveUpReason());
    field(writer, "progress", progress(task));
    field(writer, "priority", unlessZero(task.priority()));
    field(writer, "timeout", task.timeout() == null ? null : task.timeout().toSeconds() + "s");
    time(writer, "created", task.createdAt(), now);
    time(writer, "due", TaskLabels.isPostponed(task) ? task.runAt() : null, now);
    time(writer, "started", task.startedAt(), now);
    time(writer, "ended", task.endedAt(), now);
    time(writer, "deadline", task.deadline(), now);
    String show = "%s show %s".formatted(command, ShortId.of(task.id()));
    field(writer, "retries", task.retryWords());
    json(writer, "retry", task.retry(), show);
    json(writer, "metadata", task.metadata(), show);
    json(writer, "rules", rules(task), show);
    json(writer, "payload", task.payload(), show);
    json(writer, "actions", task.actions(), show);
    json(writer, "result", task.result(), show);
    copyable(writer, "trace", task.traceId());
    dependencies(writer, task.dependencies());
    attempts(writer, task.attempts(), now);
  }

  private static JsonNode rules(TaskInfo task) {
    ArrayNode rules = JsonNodeFactory.instance.arrayNode();
    task.rules().forEach(rules::add);
    return rules;
  }

  private static void dependencies(TerminalWriter writer, List<ParentInfo> parents) {
    if (parents.isEmpty()) {
      return;
    }
    writer.blank();
    writer.heading("depends on");
    new FittedTable<ParentInfo>()
        .left("id", parent -> TaskLabels.id(parent.id(), writer))
        .left("status", parent -> TaskLabels.status(parent.status()))
        .left(
            "requires",
            parent -> StyledText.of(parent.requiresSuccess() ? "success" : "any outcome"))
        .text("task", parent -> TaskLabels.text(name(parent)))
        .print(writer, parents);
  }

  private static @Nullable String name(ParentInfo parent) {
    return parent.name() == null ? parent.localId() : parent.name();
  }

  /** Why the task was set aside, and what to do about it. */
  private static void parked(TerminalWriter writer, TaskInfo task, String command) {
    if (task.parked()) {
      field(writer, "parked", task.failureReason());
      copyable(
          writer, "", "resume it with: %s resume %s".formatted(command, ShortId.of(task.id())));
    }
  }

  private static String attempt(TaskInfo task, Instant now) {
    Instant next = task.nextRetryAt();
    String left = TaskLabels.retriesLeft(task);
    return task.attempt()
        + (left.isEmpty()
            ? ""
            : ", %s %s left".formatted(left, left.equals("1") ? "retry" : "retries"))
        + (next == null
            ? ""
            : ", due %s (%s)".formatted(RelativeTime.of(next, now), InstantText.of(next)));
  }

  private static String progress(TaskInfo task) {
    if (task.success() == 0 && task.failures() == 0 && task.expectedCount() == null) {
      return "";
    }
    return items(task.success(), task.failures(), task.expectedCount());
  }

  /** Items of work, as reported by progress. */
  static String items(long success, long failures, @Nullable Long expected) {
    return "%s succeeded, %s failed%s"
        .formatted(
            NumberFormatting.count(success),
            NumberFormatting.count(failures),
            expected == null ? "" : " of " + NumberFormatting.count(expected));
  }

  private static void attempts(TerminalWriter writer, List<AttemptInfo> attempts, Instant now) {
    if (attempts.isEmpty()) {
      return;
    }
    writer.blank();
    writer.heading("finished attempts");
    new FittedTable<AttemptInfo>()
        .right("attempt", attempt -> StyledText.of(Long.toString(attempt.number())))
        .left("outcome", attempt -> StyledText.of(attempt.outcome(), style(attempt)))
        .left("ended", attempt -> StyledText.of(RelativeTime.of(attempt.endedAt(), now)))
        .right("took", attempt -> StyledText.of(took(attempt)))
        .wrapped("failure", attempt -> StyledText.of(failure(attempt)))
        .left("worker", attempt -> worker(attempt))
        .print(writer, attempts);
  }

  private static StyledText worker(AttemptInfo attempt) {
    return StyledText.of(attempt.worker() == null ? "" : attempt.worker(), AnsiStyle.FAINT);
  }

  private static AnsiStyle style(AttemptInfo attempt) {
    return switch (attempt.outcome()) {
      case "success" -> AnsiStyle.GOOD;
      case "failure", "lost" -> AnsiStyle.BAD;
      default -> AnsiStyle.PLAIN;
    };
  }

  private static String took(AttemptInfo attempt) {
    return attempt.startedAt() == null
        ? ""
        : ShortDuration.of(Duration.between(attempt.startedAt(), attempt.endedAt()));
  }

  private static String failure(AttemptInfo attempt) {
    List<String> words = new ArrayList<>();
    String message = attempt.message() == null ? "" : attempt.message();
    if (attempt.failureKind() != null) {
      words.add(attempt.failureKind());
    }
    if (attempt.status() != null && !message.contains(attempt.status().toString())) {
      words.add(attempt.status().toString());
    }
    if (attempt.code() != null) {
      words.add(attempt.code());
    }
    if (!words.isEmpty() && !message.isEmpty()) {
      words.add(words.removeLast() + ":");
    }
    words.add(message);
    return String.join(" ", words).strip();
  }

  static void time(TerminalWriter writer, String label, @Nullable Instant at, Instant now) {
    field(
        writer,
        label,
        at == null ? null : "%s (%s)".formatted(InstantText.of(at), RelativeTime.of(at, now)));
  }

  private static String unlessZero(long number) {
    return number == 0 ? "" : Long.toString(number);
  }

  /**
   * JSON in one line; if that fills a screen, the command that prints it.
   *
   * @param show the command, without {@code --json}
   */
  static void json(TerminalWriter writer, String label, @Nullable JsonNode json, String show) {
    String text = json == null || (json.isContainer() && json.isEmpty()) ? "" : json.toString();
    boolean tooLong = text.length() > MAX_JSON_LENGTH && !writer.isUnlimited();
    copyable(
        writer,
        label,
        tooLong
            ? "%s, see them with: %s --json"
                .formatted(NumberFormatting.count(text.length(), "character", "characters"), show)
            : text);
  }

  static void copyable(TerminalWriter writer, String label, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      writer.copyableField(label, LABEL_COLUMNS, text);
    }
  }

  static void field(TerminalWriter writer, String label, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      writer.field(label, LABEL_COLUMNS, text);
    }
  }
}
