// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import java.util.Optional;

/** Nobody collects spans, so there are none: whoever is called continues what came in. */
final class Untraced implements Tracing {

  /** A call without a span. */
  private record Passed(TraceContext context) implements CallSpan {

    @Override
    public void end(int status, Optional<Failure> failure) {
      // Nothing is recorded.
    }
  }

  @Override
  public TraceContext attempt(Task task) {
    return NONE.attempt(task);
  }

  @Override
  public CallSpan begin(TraceContext cause, Call call) {
    return new Passed(cause);
  }

  @Override
  public void close() {
    // There is nothing to send.
  }
}
