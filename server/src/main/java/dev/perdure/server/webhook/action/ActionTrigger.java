// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import dev.perdure.server.webhook.send.HttpMethod;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/** The event of a task or a batch that sends a webhook. */
public enum ActionTrigger {
  START("on_start", "start", "success", "Running"),
  SUCCESS("on_success", "end", "success", "Success"),
  FAILURE("on_failure", "end", "failure", "Failure"),
  RETRY("on_retry", "retry", "success", "RetryPending"),
  CANCEL("on_cancel", "cancel", "success", "Canceled"),
  /** The end of a batch, whatever its outcome. */
  FINISHED("on_finished", "finished", "success", "Finished");

  /** What a task can have, other than {@code on_start}. */
  public static final Set<ActionTrigger> OF_TASKS =
      Collections.unmodifiableSet(EnumSet.of(SUCCESS, FAILURE, RETRY, CANCEL));

  /** What a batch can have. */
  public static final Set<ActionTrigger> OF_BATCHES =
      Collections.unmodifiableSet(EnumSet.of(SUCCESS, FAILURE, FINISHED));

  private final String field;
  private final String text;
  private final String condition;
  private final String status;

  ActionTrigger(String field, String text, String condition, String status) {
    this.field = field;
    this.text = text;
    this.condition = condition;
    this.status = status;
  }

  /** The trigger with this field. Throws IllegalArgumentException when there is none. */
  public static ActionTrigger of(String field) {
    return Stream.of(values())
        .filter(trigger -> trigger.field.equals(field))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no trigger has the field " + field));
  }

  /** The field of a task that holds its actions. */
  public String field() {
    return field;
  }

  /** The name in headers and idempotency keys. */
  public String text() {
    return text;
  }

  /** The condition in idempotency keys: {@code failure} for on_failure, else {@code success}. */
  public String condition() {
    return condition;
  }

  /** The task's status right after the event, as the API writes it. */
  public String status() {
    return status;
  }

  /** True when an action without a body and with this verb sends a summary of the task. */
  public boolean sendsSummary(HttpMethod verb) {
    return this != START && verb.expectsBody();
  }
}
