// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.cli.graph.GraphNode;
import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.cli.watch.CappedCount;
import dev.perdure.client.BatchGraph;
import dev.perdure.client.BatchInfo;
import dev.perdure.client.BatchRetryResponse;
import dev.perdure.client.BatchRunInfo;
import dev.perdure.client.BatchStopResponse;
import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import dev.perdure.policy.InstantText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Prints batches for people. */
public final class BatchText {

  private static final int BAR_WIDTH = 10;
  private static final int WIDE_BAR_WIDTH = 20;
  private static final int NAME_SHARE = 5;
  private static final int MAX_FAILED = 5;

  private BatchText() {}

  /**
   * A list of batches.
   *
   * @param total how many batches match, counted up to 10,000
   */
  public static void list(TerminalWriter writer, List<BatchInfo> batches, long total, Instant now) {
    if (batches.isEmpty()) {
      writer.paragraph("No batches.");
      return;
    }
    int nameWidth = writer.isUnlimited() ? writer.textWidth() : writer.textWidth() / NAME_SHARE;
    new FittedTable<BatchInfo>()
        .left("id", batch -> TaskLabels.id(batch.id(), writer))
        .left("name", batch -> FittedTable.truncate(TaskLabels.text(batch.name()), nameWidth))
        .right("run", batch -> StyledText.of(batch.run() > 0 ? Long.toString(batch.run()) : ""))
        .left("progress", BatchText::bar)
        .right("tasks", batch -> count(batch.totalTasks(), AnsiStyle.PLAIN))
        .right("failed", batch -> count(batch.count(TaskStatus.FAILURE), AnsiStyle.BAD))
        .right("live", batch -> count(batch.live(), AnsiStyle.ACCENT))
        .right("age", batch -> StyledText.of(age(batch, now)))
        .right("next run", batch -> TaskLabels.text(relative(batch.nextRunAt(), now)))
        .right("canceled", batch -> count(batch.count(TaskStatus.CANCELED), AnsiStyle.FAINT))
        .text("kinds", batch -> StyledText.of(String.join(", ", batch.kinds()), AnsiStyle.FAINT))
        .print(writer, batches);
    if (batches.size() < total) {
      String all = NumberFormatting.count(total) + (total == CappedCount.CAP ? " or more" : "");
      writer.blank();
      writer.paragraph(
          "%s of %s batches; --limit shows more"
              .formatted(NumberFormatting.count(batches.size()), all),
          AnsiStyle.FAINT);
    }
  }

  private static StyledText bar(BatchInfo batch) {
    String bar =
        StatusBar.of(batch.statusCounts(), batch.totalTasks(), BAR_WIDTH).stream()
            .map(StyledText::text)
            .collect(Collectors.joining());
    TaskStatus worst =
        Stream.of(TaskStatus.FAILURE, TaskStatus.CANCELED)
            .filter(status -> batch.count(status) > 0)
            .findFirst()
            .orElse(batch.live() > 0 ? TaskStatus.RUNNING : TaskStatus.SUCCESS);
    return StyledText.of(bar, TaskLabels.style(worst));
  }

  private static StyledText count(long count, AnsiStyle style) {
    return StyledText.of(count == 0 ? "" : NumberFormatting.count(count), style);
  }

  private static String age(BatchInfo batch, Instant now) {
    return RelativeTime.length(Duration.between(batch.createdAt(), now));
  }

  /**
   * Everything about a batch.
   *
   * @param graph without tasks if there are too many
   * @param command how the command line is called
   */
  public static void show(
      TerminalWriter writer, BatchInfo batch, BatchGraph graph, Instant now, String command) {
    writer.line(StyledText.of("batch %s %s".formatted(batch.id(), state(batch, now))));
    progress(writer, batch);
    writer.blank();
    TaskText.field(writer, "name", batch.name());
    TaskText.field(writer, "run", run(batch, now));
    TaskText.field(writer, "items", items(batch));
    TaskText.time(writer, "created", batch.createdAt(), now);
    TaskText.time(writer, "ended", batch.endedAt(), now);
    TaskText.time(writer, "stopped", batch.stoppedAt(), now);
    String show = "%s batch %s".formatted(command, ShortId.of(batch.id()));
    TaskText.json(writer, "retry", batch.retry(), show);
    TaskText.json(writer, "context", batch.context(), show);
    runs(writer, batch, now);
    graph(writer, batch, graph, now, command);
    failed(writer, graph);
    UnclaimedHint.print(writer, graph.tasks(), now);
  }

  private static String state(BatchInfo batch, Instant now) {
    if (batch.nextRunAt() != null) {
      return "runs again " + RelativeTime.of(batch.nextRunAt(), now);
    }
    return batch.endedAt() == null ? "is live" : "ended " + RelativeTime.of(batch.endedAt(), now);
  }

  private static void progress(TerminalWriter writer, BatchInfo batch) {
    long total = batch.totalTasks();
    long percent = total == 0 ? 100 : 100 * (total - batch.live()) / total;
    List<StyledText> bar = StatusBar.of(batch.statusCounts(), total, WIDE_BAR_WIDTH);
    bar.add(StyledText.of(" %3d %%  ".formatted(percent)));
    StyledText.wrap(bar, StatusBar.counts(batch.statusCounts()), writer.textWidth())
        .forEach(writer::line);
  }

  private static String run(BatchInfo batch, Instant now) {
    Instant next = batch.nextRunAt();
    if (next == null) {
      return batch.run() > 0 ? Long.toString(batch.run()) : "";
    }
    return "%d, the next one starts %s (%s)"
        .formatted(batch.run(), RelativeTime.of(next, now), InstantText.of(next));
  }

  private static String items(BatchInfo batch) {
    Long expected = batch.totalExpected();
    boolean none = batch.totalSuccess() == 0 && batch.totalFailures() == 0;
    return none && (expected == null || expected == 0)
        ? ""
        : TaskText.items(batch.totalSuccess(), batch.totalFailures(), expected);
  }

  private static void runs(TerminalWriter writer, BatchInfo batch, Instant now) {
    if (batch.runs().size() < 2 && batch.nextRunAt() == null) {
      return;
    }
    writer.blank();
    writer.heading("runs");
    new FittedTable<BatchRunInfo>()
        .right("run", run -> StyledText.of(Long.toString(run.run())))
        .left("outcome", BatchText::outcome)
        .left("started", run -> TaskLabels.text(relative(run.startedAt(), now)))
        .right("took", run -> StyledText.of(took(run)))
        .wrapped("failure", run -> StyledText.of(failure(run.failure())))
        .print(writer, batch.runs());
  }

  private static StyledText outcome(BatchRunInfo run) {
    String outcome = run.outcome() == null ? "" : run.outcome();
    TaskStatus status = TaskStatus.of(outcome);
    return StyledText.of(outcome, TaskLabels.style(status));
  }

  private static @Nullable String relative(@Nullable Instant at, Instant now) {
    return at == null ? null : RelativeTime.of(at, now);
  }

  private static String took(BatchRunInfo run) {
    return run.startedAt() == null || run.endedAt() == null
        ? ""
        : ShortDuration.of(Duration.between(run.startedAt(), run.endedAt()));
  }

  /** A failure is a text, or an object with a kind and a message. */
  private static String failure(@Nullable JsonNode failure) {
    if (failure == null) {
      return "";
    }
    if (!failure.isObject()) {
      return failure.asString("");
    }
    String what =
        Stream.of("kind", "status", "code")
            .map(field -> failure.path(field).asString(""))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(" "));
    String message =
        Stream.of("message", "reason")
            .map(field -> failure.path(field).asString(""))
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse("");
    return what + (what.isEmpty() || message.isEmpty() ? "" : ": ") + message;
  }

  private static void graph(
      TerminalWriter writer, BatchInfo batch, BatchGraph graph, Instant now, String command) {
    writer.blank();
    if (graph.tasks().isEmpty() && batch.totalTasks() > 0) {
      writer.hint(
          "%s tasks are too many to draw; list them with:"
              .formatted(NumberFormatting.count(batch.totalTasks())),
          "%s tasks --batch %s".formatted(command, ShortId.of(batch.id())));
      return;
    }
    GraphText.lines(TaskGraph.of(graph), GraphText.MAX_ROWS, writer.textWidth(), now)
        .forEach(writer::line);
    if (graph.truncated()) {
      writer.blank();
      writer.paragraph(
          "The server left out some tasks or dependencies, because there are too many.",
          AnsiStyle.WARNING);
    }
  }

  /** Why tasks failed; those that failed because of others are left out. */
  private static void failed(TerminalWriter writer, BatchGraph graph) {
    List<TaskInfo> failed = graph.tasks().stream().filter(TaskLabels::failedByItself).toList();
    if (failed.isEmpty()) {
      return;
    }
    writer.blank();
    new FittedTable<TaskInfo>()
        .left("failed", task -> TaskLabels.id(task.id(), writer))
        .left(
            "task",
            task ->
                FittedTable.truncate(
                    StyledText.of(GraphNode.label(task)), writer.textWidth() / NAME_SHARE))
        .wrapped("reason", task -> StyledText.of(TaskLabels.failure(task)))
        .print(writer, failed.subList(0, Math.min(MAX_FAILED, failed.size())));
    if (failed.size() > MAX_FAILED) {
      writer.paragraph(
          "… and %s more".formatted(NumberFormatting.count(failed.size() - MAX_FAILED)),
          AnsiStyle.FAINT);
    }
  }

  /** What a stop did. */
  public static void stopped(TerminalWriter writer, BatchStopResponse result) {
    List<String> canceled = new ArrayList<>();
    add(canceled, result.canceledWaiting(), "Waiting");
    add(canceled, result.canceledPending(), "Pending");
    add(canceled, result.canceledClaimed(), "Claimed");
    add(canceled, result.canceledRunning(), "Running");
    add(canceled, result.canceledRetryPending(), "RetryPending");
    add(canceled, result.canceledPaused(), "Paused");
    add(canceled, result.canceledParked(), "Parked");
    writer.paragraph(
        "batch %s: %s canceled%s, %s had already ended"
            .formatted(
                result.batchId(),
                NumberFormatting.count(result.canceled(), "task", "tasks"),
                canceled.isEmpty() ? "" : " (%s)".formatted(String.join(", ", canceled)),
                NumberFormatting.count(result.alreadyEnded())));
  }

  private static void add(List<String> words, long count, String status) {
    if (count > 0) {
      words.add(NumberFormatting.count(count) + " " + status);
    }
  }

  /** What a retry did. */
  public static void retried(
      TerminalWriter writer, BatchRetryResponse result, boolean newRun, Instant now) {
    Instant at = Objects.requireNonNullElse(result.nextRunAt(), now);
    writer.paragraph(
        newRun
            ? "batch %s: run %d starts %s"
                .formatted(result.batchId(), result.run(), RelativeTime.of(at, now))
            : "batch %s: %s again"
                .formatted(
                    result.batchId(),
                    NumberFormatting.count(result.revived(), "task runs", "tasks run")));
  }
}
