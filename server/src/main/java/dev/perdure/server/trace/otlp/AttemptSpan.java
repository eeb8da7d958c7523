// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.policy.Failure;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the span of an attempt says. */
final class AttemptSpan {

  private AttemptSpan() {}

  static String name(Task task) {
    return "attempt " + task.definition().kind();
  }

  static void describe(Span span, Task task, TaskChange taskChange, AttemptDetails note) {
    span.setAttribute("perdure.task.id", task.id().toString())
        .setAttribute("perdure.task.kind", task.definition().kind())
        .setAttribute("perdure.batch.id", task.batch().toString())
        .setAttribute("perdure.attempt", task.retryCounters().attempt())
        .setAttribute("perdure.epoch", task.epoch())
        .setAttribute("perdure.outcome", note.outcome().text())
        .setAttribute("perdure.task.status", taskChange.to().title());
    setIfPresent(span, "perdure.worker", task.worker());
    setIfPresent(span, "perdure.failure.kind", note.failureKind());
    setIfPresent(span, "perdure.failure.code", note.code());
    setIfPresent(
        span,
        "perdure.give_up_reason",
        taskChange.giveUpReason() == null ? null : taskChange.giveUpReason().text());
    if (note.delay() != null) {
      span.setAttribute("perdure.retry.delay_ms", note.delay().toMillis());
    }
    if (isError(note)) {
      span.setAttribute("error.type", type(note));
      span.setStatus(StatusCode.ERROR, Objects.requireNonNullElse(note.message(), ""));
    }
  }

  private static boolean isError(AttemptDetails note) {
    return note.outcome() == AttemptOutcome.FAILURE || note.outcome() == AttemptOutcome.LOST;
  }

  /** As specific as can be: the exception's class, the HTTP status, or the kind of failure. */
  private static String type(AttemptDetails note) {
    if (!note.exceptionTypes().isEmpty()) {
      return note.exceptionTypes().getFirst();
    }
    if (note.status() != Failure.NO_STATUS) {
      return Integer.toString(note.status());
    }
    return Objects.requireNonNullElse(note.failureKind(), note.outcome().text());
  }

  private static void setIfPresent(Span span, String name, @Nullable String value) {
    if (value != null) {
      span.setAttribute(name, value);
    }
  }
}
