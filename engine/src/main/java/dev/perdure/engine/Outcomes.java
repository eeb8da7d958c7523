// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Outcome;
import dev.perdure.policy.Failure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What somebody outside says of an attempt, beside what is recorded of it. */
final class Outcomes {

  private Outcomes() {}

  /** With its texts cut to what is kept. */
  static Outcome truncated(Outcome outcome) {
    if (!(outcome instanceof Outcome.Failed failed)) {
      return outcome;
    }
    Failure failure = failed.failure();
    return new Outcome.Failed(
        failure.withMessage(cut(failure.message(), Failures.MAX_MESSAGE_CHARACTERS)),
        cut(failed.stack(), Failures.MAX_STACK_CHARACTERS));
  }

  private static @Nullable String cut(@Nullable String text, int most) {
    return text == null ? null : Failures.truncate(text, most);
  }

  /** True when the record says what the outcome says, but for texts that are meant for people. */
  static boolean matches(AttemptDetails recorded, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded done ->
          recorded.outcome() == AttemptOutcome.SUCCESS
              && Objects.equals(recorded.result(), done.result());
      case Outcome.Failed failed ->
          recorded.outcome() == AttemptOutcome.FAILURE && matches(recorded, failed.failure());
      case Outcome.TimedOut silent -> false;
      case Outcome.HandedOff elsewhere -> false;
      case Outcome.Snoozed snoozed -> recorded.outcome() == AttemptOutcome.SNOOZED;
      case Outcome.HandedBack back -> recorded.outcome() == AttemptOutcome.HANDED_BACK;
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
