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

/** The name and the attributes of an attempt's span. */
final class AttemptSpan {

  private AttemptSpan() {}

  static String name(Task task) {
    return "attempt " + task.definition().kind();
  }

  static void describe(Span span, Task task, TaskChange change, AttemptDetails details) {
    span.setAttribute("perdure.task.id", task.id().toString())
        .setAttribute("perdure.task.kind", task.definition().kind())
        .setAttribute("perdure.batch.id", task.batch().toString())
        .setAttribute("perdure.attempt", task.retryCounters().attempt())
        .setAttribute("perdure.epoch", task.epoch())
        .setAttribute("perdure.outcome", details.outcome().text())
        .setAttribute("perdure.task.status", change.to().title());
    setIfPresent(span, "perdure.worker", task.worker());
    setIfPresent(span, "perdure.failure.kind", details.failureKind());
    setIfPresent(span, "perdure.failure.code", details.code());
    setIfPresent(
        span,
        "perdure.give_up_reason",
        change.giveUpReason() == null ? null : change.giveUpReason().text());
    if (details.delay() != null) {
      span.setAttribute("perdure.retry.delay_ms", details.delay().toMillis());
    }
    if (isError(details)) {
      span.setAttribute("error.type", type(details));
      span.setStatus(StatusCode.ERROR, Objects.requireNonNullElse(details.message(), ""));
    }
  }

  private static boolean isError(AttemptDetails details) {
    return details.outcome() == AttemptOutcome.FAILURE || details.outcome() == AttemptOutcome.LOST;
  }

  /** The most specific of: the exception's class, the HTTP status, the kind of failure. */
  private static String type(AttemptDetails details) {
    if (!details.exceptionTypes().isEmpty()) {
      return details.exceptionTypes().getFirst();
    }
    if (details.status() != Failure.NO_STATUS) {
      return Integer.toString(details.status());
    }
    return Objects.requireNonNullElse(details.failureKind(), details.outcome().text());
  }

  private static void setIfPresent(Span span, String name, @Nullable String value) {
    if (value != null) {
      span.setAttribute(name, value);
    }
  }
}
