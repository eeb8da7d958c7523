// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.context.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts trace contexts to the SDK's type, as parents of spans. */
final class ParentContexts {

  private ParentContexts() {}

  /** The parent of a task's attempts: the submitter's span, or none. */
  static Context of(Task task) {
    TraceContext submitter = task.definition().trace();
    return submitter == null ? Context.root() : of(submitter);
  }

  static Context of(TraceContext parent) {
    TraceFlags flags = parent.sampled() ? TraceFlags.getSampled() : TraceFlags.getDefault();
    SpanContext span =
        SpanContext.createFromRemoteParent(
            parent.traceId(), parent.spanId(), flags, state(parent.state()));
    return Context.root().with(Span.wrap(span));
  }

  private static TraceState state(@Nullable String text) {
    if (text == null) {
      return TraceState.getDefault();
    }
    TraceStateBuilder state = TraceState.builder();
    // The builder puts the last entry first.
    for (String member : List.of(text.split(",", -1)).reversed()) {
      int sign = member.indexOf('=');
      state.put(member.substring(0, sign), member.substring(sign + 1));
    }
    return state.build();
  }
}
