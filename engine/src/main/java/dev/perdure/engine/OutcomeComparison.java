// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Outcome;
import dev.perdure.policy.Failure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares outcomes that are reported from outside with the recorded ones. */
final class OutcomeComparison {

  private OutcomeComparison() {}

  /** A copy with its texts cut to the lengths that are stored. */
  static Outcome truncated(Outcome outcome) {
    if (!(outcome instanceof Outcome.Failed failed)) {
      return outcome;
    }
    Failure failure = failed.failure();
    return new Outcome.Failed(
        failure.withMessage(truncated(failure.message(), FailureConverter.MAX_MESSAGE_CHARACTERS)),
        truncated(failed.stack(), FailureConverter.MAX_STACK_CHARACTERS));
  }

  private static @Nullable String truncated(@Nullable String text, int max) {
    return text == null ? null : FailureConverter.truncate(text, max);
  }

  /** True when the record has the same outcome; messages and stack traces may differ. */
  static boolean matches(AttemptDetails recorded, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded succeeded ->
          recorded.outcome() == AttemptOutcome.SUCCESS
              && Objects.equals(recorded.result(), succeeded.result());
      case Outcome.Failed failed ->
          recorded.outcome() == AttemptOutcome.FAILURE && matches(recorded, failed.failure());
      case Outcome.TimedOut timedOut -> false;
      case Outcome.HandedOff handedOff -> false;
      case Outcome.Snoozed snoozed -> recorded.outcome() == AttemptOutcome.SNOOZED;
      case Outcome.HandedBack handedBack -> recorded.outcome() == AttemptOutcome.HANDED_BACK;
      case Outcome.Parked parked -> recorded.outcome() == AttemptOutcome.HANDED_BACK;
    };
  }

  private static boolean matches(AttemptDetails recorded, Failure failure) {
    return failure.kind().text().equals(recorded.failureKind())
        && failure.status() == recorded.status()
        && Objects.equals(failure.code(), recorded.code());
  }

  static String describe(AttemptDetails recorded) {
    String kind = recorded.failureKind();
    return recorded.outcome().text() + (kind == null ? "" : " (" + kind + ")");
  }
}
