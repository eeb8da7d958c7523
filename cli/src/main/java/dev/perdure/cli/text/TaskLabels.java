// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.client.TaskInfo;
import dev.perdure.client.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Short texts about a task, for tables and single lines. */
final class TaskLabels {

  private TaskLabels() {}

  /** Short where people read it, and whole for programs. */
  static StyledText id(UUID id, TerminalWriter writer) {
    return StyledText.of(writer.isUnlimited() ? id.toString() : ShortId.of(id));
  }

  /** The name, or the kind of a task without one. */
  static StyledText nameOrKind(TaskInfo task) {
    return task.name() == null || task.name().isBlank()
        ? StyledText.of(task.kind(), AnsiStyle.FAINT)
        : StyledText.of(task.name());
  }

  static StyledText status(TaskInfo task) {
    return StyledText.of(task.statusText(), style(task.status()));
  }

  static StyledText status(TaskStatus status) {
    return StyledText.of(status.text(), style(status));
  }

  static AnsiStyle style(TaskStatus status) {
    return switch (status) {
      case SUCCESS -> AnsiStyle.GOOD;
      case FAILURE -> AnsiStyle.BAD;
      case RETRY_PENDING, PARKED -> AnsiStyle.WARNING;
      case CLAIMED, RUNNING -> AnsiStyle.ACCENT;
      case CANCELED, PAUSED -> AnsiStyle.FAINT;
      case WAITING, PENDING, UNKNOWN -> AnsiStyle.PLAIN;
    };
  }

  static StyledText text(@Nullable String text) {
    return StyledText.of(text == null ? "" : text);
  }

  /** How long it has been running, when it is due, or when it ended. */
  static String when(TaskInfo task, Instant now) {
    if (task.endedAt() != null) {
      return RelativeTime.of(task.endedAt(), now);
    }
    if (task.status() == TaskStatus.RUNNING && task.startedAt() != null) {
      return "for " + RelativeTime.length(Duration.between(task.startedAt(), now));
    }
    return switch (task.status()) {
      case CLAIMED, PARKED -> "";
      case WAITING ->
          isPostponed(task) && task.runAt().isAfter(now)
              ? "due " + RelativeTime.of(task.runAt(), now)
              : "";
      default -> "due " + RelativeTime.of(task.runAt(), now);
    };
  }

  /** When, without the word "due", which the status implies. */
  static StyledText shortWhen(TaskInfo task, Instant now) {
    return StyledText.of(when(task, now).replaceFirst("^due ", ""));
  }

  /** The message of the failure, else its kind. */
  static StyledText reason(TaskInfo task, boolean narrow) {
    String message = task.failureReason();
    String reason = message == null || message.isBlank() ? failure(task) : message;
    return StyledText.of(
        narrow ? reason.replaceFirst("^the webhook ", "") : reason, AnsiStyle.FAINT);
  }

  /** Why the last attempt failed, or why the task is parked. */
  static String failure(TaskInfo task) {
    String reason = task.failureReason() == null ? "" : task.failureReason();
    if (task.failureKind() == null) {
      return reason;
    }
    String code = task.failureCode() == null ? "" : " " + task.failureCode();
    return task.failureKind() + code + (reason.isEmpty() ? "" : ": " + reason);
  }

  /** Whether the task failed, and not only because a task that it depends on did. */
  static boolean failedByItself(TaskInfo task) {
    return task.status() == TaskStatus.FAILURE && !"upstream_failed".equals(task.giveUpReason());
  }

  /** Whether the task was submitted to start later, and has not started yet. */
  static boolean isPostponed(TaskInfo task) {
    return task.startedAt() == null
        && task.endedAt() == null
        && task.nextRetryAt() == null
        && task.runAt().isAfter(task.createdAt());
  }

  /** Empty once the task has ended. */
  static String retriesLeft(TaskInfo task) {
    if (task.endedAt() != null) {
      return "";
    }
    return task.retriesLeft() == null ? "∞" : task.retriesLeft().toString();
  }
}
