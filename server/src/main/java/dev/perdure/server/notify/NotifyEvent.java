// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.engine.task.BatchOutcome;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskGiveUpReason;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a notification can be about. The order is that of the counts in a summary. */
public enum NotifyEvent {
  /** It failed for any other reason than {@link #EXHAUSTED}. */
  FAILURE("failed"),
  /** It failed because no retries or no time was left. */
  EXHAUSTED("exhausted"),
  RETRY("retried"),
  SUCCESS("succeeded");

  /** The values of {@code on}, in the order of the documentation. */
  public static final List<String> NAMES = List.of("success", "retry", "exhausted", "failure");

  private final String verb;

  NotifyEvent(String verb) {
    this.verb = verb;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As in "12 failed". */
  String verb() {
    return verb;
  }

  static NotifyEvent of(String text) {
    return Stream.of(values())
        .filter(event -> event.text().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no event has the name " + text));
  }

  /** The event of a change; empty if it sends no notification. */
  static Optional<NotifyEvent> of(TaskChange change) {
    return switch (change.to()) {
      case SUCCESS -> Optional.of(SUCCESS);
      case RETRY_PENDING -> Optional.of(RETRY);
      case FAILURE -> Optional.of(ofFailure(change.giveUpReason()));
      case CANCELED, WAITING, PENDING, CLAIMED, RUNNING -> Optional.empty();
    };
  }

  /** The event of the end of a batch; empty if it sends no notification. */
  static Optional<NotifyEvent> of(BatchOutcome outcome, @Nullable TaskGiveUpReason reason) {
    return switch (outcome) {
      case SUCCESS -> Optional.of(SUCCESS);
      case FAILURE -> Optional.of(ofFailure(reason));
      case CANCELED -> Optional.empty();
    };
  }

  private static NotifyEvent ofFailure(@Nullable TaskGiveUpReason reason) {
    return reason == TaskGiveUpReason.EXHAUSTED || reason == TaskGiveUpReason.EXPIRED
        ? EXHAUSTED
        : FAILURE;
  }
}
