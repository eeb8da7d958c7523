// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.util.Locale;
import java.util.UUID;

/** Which {@code on_start} calls share an idempotency key. */
public enum IdempotencyScope {
  /** Each attempt has its own key. */
  ATTEMPT,
  /** All attempts of the task share one key. */
  TASK;

  /** The value in JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The idempotency key of a call; the same each time this event is sent.
   *
   * @param index the index of the action within its trigger
   */
  public String key(UUID task, Trigger trigger, int index, long attempt) {
    return this == TASK && trigger == Trigger.START
        ? task + ":" + trigger.text()
        : "%s:%s:%s:%d:%d".formatted(task, trigger.text(), trigger.condition(), index, attempt);
  }
}
