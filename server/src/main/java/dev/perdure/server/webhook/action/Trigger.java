// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook.action;

/** What in the life of a task makes a webhook go out. */
public enum Trigger {
  START("on_start", "start", "success"),
  SUCCESS("on_success", "end", "success"),
  FAILURE("on_failure", "end", "failure"),
  RETRY("on_retry", "retry", "success"),
  CANCEL("on_cancel", "cancel", "success");

  private final String field;
  private final String text;
  private final String condition;

  Trigger(String field, String text, String condition) {
    this.field = field;
    this.text = text;
    this.condition = condition;
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

  /** True when a call without a body of its own carries a summary of the task. */
  boolean tellsOfTask() {
    return this == SUCCESS || this == FAILURE || this == RETRY;
  }
}
