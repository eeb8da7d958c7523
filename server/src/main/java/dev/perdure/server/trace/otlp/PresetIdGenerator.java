// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.engine.task.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.sdk.trace.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives a span preset ids, and all other spans random ones. The SDK asks for ids on the thread that
 * starts the span and has no other way to set them.
 */
final class PresetIdGenerator implements IdGenerator {

  private static final ThreadLocal<@Nullable TraceContext> PRESET = new ThreadLocal<>();

  private final IdGenerator random = IdGenerator.random();

  /** Starts the span with these ids. */
  Span start(SpanBuilder builder, TraceContext ids) {
    PRESET.set(ids);
    try {
      return builder.startSpan();
    } finally {
      PRESET.remove();
    }
  }

  @Override
  public String generateSpanId() {
    TraceContext ids = PRESET.get();
    return ids == null ? random.generateSpanId() : ids.spanId();
  }

  @Override
  public String generateTraceId() {
    TraceContext ids = PRESET.get();
    return ids == null ? random.generateTraceId() : ids.traceId();
  }
}
