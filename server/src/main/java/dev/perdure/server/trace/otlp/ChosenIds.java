// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.engine.task.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.sdk.trace.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives a span the ids that were chosen for it, and any other one random ids. The SDK asks for them
 * on the thread that starts the span and has no other way to be told.
 */
final class ChosenIds implements IdGenerator {

  private static final ThreadLocal<@Nullable TraceContext> CHOSEN = new ThreadLocal<>();

  private final IdGenerator others = IdGenerator.random();

  /** Starts the span under these ids. */
  Span start(SpanBuilder builder, TraceContext ids) {
    CHOSEN.set(ids);
    try {
      return builder.startSpan();
    } finally {
      CHOSEN.remove();
    }
  }

  @Override
  public String generateSpanId() {
    TraceContext ids = CHOSEN.get();
    return ids == null ? others.generateSpanId() : ids.spanId();
  }

  @Override
  public String generateTraceId() {
    TraceContext ids = CHOSEN.get();
    return ids == null ? others.generateTraceId() : ids.traceId();
  }
}
