// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

import java.util.stream.Stream;

/** What in the life of a task makes a webhook go out. */
public enum Trigger {
  START("on_start", "start", "success", "Running"),
  SUCCESS("on_success", "end", "success", "Success"),
  FAILURE("on_failure", "end", "failure", "Failure"),
  RETRY("on_retry", "retry", "success", "RetryPending"),
  CANCEL("on_cancel", "cancel", "success", "Canceled");

  private final String field;
  private final String text;
  private final String condition;
  private final String status;

  Trigger(String field, String text, String condition, String status) {
    this.field = field;
    this.text = text;
    this.condition = condition;
    this.status = status;
  }

  /** The trigger of this field; throws IllegalArgumentException when it is none's. */
  public static Trigger of(String field) {
    return Stream.of(values())
        .filter(trigger -> trigger.field.equals(field))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no trigger has the field " + field));
  }

  /** The field of a task that holds its actions. */
  public String field() {
    return field;
  }

  /** The word for it in headers and keys. */
  public String text() {
    return text;
  }

  /** How the task ended, where that can go both ways. */
  public String condition() {
    return condition;
  }

  /** The status of a task to which it has just happened, as the API writes it. */
  public String status() {
    return status;
  }

  /** True when a call without a body of its own carries a summary of the task. */
  public boolean sendsSummary() {
    return this == SUCCESS || this == FAILURE || this == RETRY;
  }
}
