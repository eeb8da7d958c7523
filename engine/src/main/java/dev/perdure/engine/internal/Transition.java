// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.internal;

import dev.perdure.engine.task.TaskState;

/** What the state machine says about an event. */
public sealed interface Transition {

  /** The event is allowed and leads to this state. */
  record To(TaskState state) implements Transition {}

  /** The event is not allowed. */
  record Illegal(String reason) implements Transition {}
}
