// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import java.util.Optional;

/** The span of a webhook call that is being made. */
public interface CallSpan {

  /** The trace context for the receiver: the parent of its own spans. */
  TraceContext context();

  /**
   * Ends the span. A span that is never ended, because the call was not made, is not recorded.
   *
   * @param status the status of the response, or {@link Failure#NO_STATUS}
   */
  void end(int status, Optional<Failure> failure);
}
