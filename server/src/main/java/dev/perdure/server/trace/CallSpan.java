// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import java.util.Optional;

/** One call under way. */
public interface CallSpan {

  /** What the callee is told: the parent of whatever it does. */
  TraceContext context();

  /**
   * The call is over. One that is never ended, since it was not made, is not recorded.
   *
   * @param status of the answer, or {@link Failure#NO_STATUS}
   */
  void end(int status, Optional<Failure> failure);
}
