// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import dev.perdure.policy.GiveUpReason;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Why a task failed: the reasons of the policy, and those that no policy decides. */
public enum TaskGiveUpReason {
  NO_POLICY,
  NOT_RETRYABLE,
  EXHAUSTED,
  /** The policy's expiry or the task's deadline passed. */
  EXPIRED,
  /** More workers were lost within one attempt than the loss limit allows. */
  LOST,
  /** A task that it depends on failed or was canceled. */
  UPSTREAM_FAILED;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<TaskGiveUpReason> of(String text) {
    return Stream.of(values()).filter(reason -> reason.text().equals(text)).findFirst();
  }

  public static TaskGiveUpReason of(GiveUpReason reason) {
    return switch (reason) {
      case NO_POLICY -> NO_POLICY;
      case NOT_RETRYABLE -> NOT_RETRYABLE;
      case EXHAUSTED -> EXHAUSTED;
      case EXPIRED -> EXPIRED;
    };
  }
}
