// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import java.util.Optional;

/** Records nothing. Receivers continue the trace of the submitter. */
final class NoopTracing implements Tracing {

  /** A call without a span. */
  private record NoopCallSpan(TraceContext context) implements CallSpan {

    @Override
    public void end(int status, Optional<Failure> failure) {
      // Nothing is recorded.
    }
  }

  @Override
  public TraceContext attemptParent(Task task) {
    return NONE.attemptParent(task);
  }

  @Override
  public CallSpan startCall(TraceContext parent, Call call) {
    return new NoopCallSpan(parent);
  }

  @Override
  public void close() {
    // Nothing was recorded.
  }
}
