// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import java.time.Duration;
import java.time.Instant;

/** What can be said of a task in few words. */
final class TaskLabels {

  private TaskLabels() {}

  static StyledText status(JsonView task) {
    return StyledText.of(task.text("status"), style(task.text("status")));
  }

  static AnsiStyle style(String status) {
    return switch (status) {
      case "Success" -> AnsiStyle.GOOD;
      case "Failure" -> AnsiStyle.BAD;
      case "RetryPending" -> AnsiStyle.WARNING;
      case "Claimed", "Running" -> AnsiStyle.ACCENT;
      case "Canceled", "Paused" -> AnsiStyle.FAINT;
      default -> AnsiStyle.PLAIN;
    };
  }

  /** For how long it runs, when it is due, or when it ended. */
  static String when(JsonView task, Instant now) {
    Instant ended = task.instant("ended_at");
    if (ended != null) {
      return RelativeTime.of(ended, now);
    }
    String status = task.text("status");
    Instant started = task.instant("started_at");
    if (status.equals("Running") && started != null) {
      return "for " + RelativeTime.length(Duration.between(started, now));
    }
    Instant due = task.instant("run_at");
    return due == null || status.equals("Claimed") ? "" : "due " + RelativeTime.of(due, now);
  }

  /** Why the last attempt failed. */
  static String why(JsonView task) {
    String code = task.has("failure_code") ? " " + task.text("failure_code") : "";
    String reason = task.has("failure_reason") ? ": " + task.text("failure_reason") : "";
    return task.has("failure_kind") ? task.text("failure_kind") + code + reason : "";
  }

  /** Whether it was meant to begin later than it was made, and has not begun. */
  static boolean isPostponed(JsonView task) {
    Instant created = task.instant("created_at");
    Instant due = task.instant("run_at");
    return created != null
        && due != null
        && !task.has("started_at")
        && !task.has("ended_at")
        && !task.has("next_retry_at")
        && due.isAfter(created);
  }

  /** Nothing once it has ended: it has none any more. */
  static String retriesLeft(JsonView task) {
    if (task.has("ended_at")) {
      return "";
    }
    return task.has("retries_left") ? task.text("retries_left") : "∞";
  }
}
