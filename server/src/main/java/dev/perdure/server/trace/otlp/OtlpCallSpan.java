// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.trace.Tracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Objects;
import java.util.Optional;

/** The span of a call; recorded if its trace is sampled. */
record OtlpCallSpan(Span span, TraceContext context) implements CallSpan {

  static OtlpCallSpan of(Span span, TraceContext parent, Tracing.Call call) {
    span.setAttribute("perdure.task.id", call.task().toString())
        .setAttribute("perdure.trigger", call.trigger())
        .setAttribute("http.request.method", call.method())
        .setAttribute("server.address", call.host())
        .setAttribute("server.port", call.port());
    SpanContext own = span.getSpanContext();
    return new OtlpCallSpan(
        span, new TraceContext(own.getTraceId(), own.getSpanId(), own.isSampled(), parent.state()));
  }

  @Override
  public void end(int status, Optional<Failure> failure) {
    if (status != Failure.NO_STATUS) {
      span.setAttribute("http.response.status_code", status);
    }
    failure.ifPresent(this::failed);
    span.end();
  }

  private void failed(Failure failure) {
    boolean hasStatus = failure.status() != Failure.NO_STATUS;
    String type = hasStatus ? Integer.toString(failure.status()) : failure.code();
    span.setAttribute("error.type", Objects.requireNonNullElse(type, failure.kind().text()));
    span.setStatus(StatusCode.ERROR, Objects.requireNonNullElse(failure.message(), ""));
  }
}
