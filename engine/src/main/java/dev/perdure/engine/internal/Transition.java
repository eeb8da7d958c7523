// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.engine.task.TaskState;

/** The state machine's answer to an event. */
public sealed interface Transition {

  /** The event is legal here and leads there. */
  record To(TaskState state) implements Transition {}

  /** The event is not legal here. */
  record Illegal(String reason) implements Transition {}
}
