// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * How a task is connected to the world outside the handlers.
 *
 * @param lane the name under which it is claimed instead of its kind; null means its kind
 * @param actions whom to call and to tell, JSON; only an {@link Announcer} and the handler of the
 *     lane read it
 */
public record Wiring(@Nullable String lane, @Nullable String actions) {

  /** Done by the handler of its kind; nobody is told. */
  public static final Wiring NONE = new Wiring(null, null);
}
