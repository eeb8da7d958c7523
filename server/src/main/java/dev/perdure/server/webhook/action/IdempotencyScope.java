// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.util.Locale;
import java.util.UUID;

/** What the key of a start webhook stands for: two calls with the same key are one. */
public enum IdempotencyScope {
  /** Each attempt is work of its own. */
  ATTEMPT,
  /** All attempts are the same work. */
  TASK;

  /** The word for it in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The key of this call; the same each time this event is told.
   *
   * @param index the place of the action among those of its trigger
   */
  public String key(UUID task, Trigger trigger, int index, long attempt) {
    return this == TASK && trigger == Trigger.START
        ? task + ":" + trigger.text()
        : "%s:%s:%s:%d:%d".formatted(task, trigger.text(), trigger.condition(), index, attempt);
  }
}
