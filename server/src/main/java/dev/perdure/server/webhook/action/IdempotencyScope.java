// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.util.Locale;

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
  public String key(WebhookTaskData task, ActionTrigger trigger, int index) {
    if (this == TASK && trigger == ActionTrigger.START) {
      return task.id() + ":" + trigger.text();
    }
    String key =
        "%s:%s:%s:%d:%d"
            .formatted(task.id(), trigger.text(), trigger.condition(), index, task.attempt());
    // A run that is retried in place ends again, and keeps its number.
    return task.endedAt() == null ? key : key + ":" + task.endedAt().toEpochMilli();
  }
}
