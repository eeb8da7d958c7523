// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import java.util.Optional;

/** Nobody collects spans, so there are none: whoever is called continues what came in. */
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
  public CallSpan startCall(TraceContext cause, Call call) {
    return new NoopCallSpan(cause);
  }

  @Override
  public void close() {
    // There is nothing to send.
  }
}
