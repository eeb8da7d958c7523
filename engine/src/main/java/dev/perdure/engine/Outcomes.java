// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Outcome;
import dev.perdure.policy.Failure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What somebody outside says of an attempt, beside what is recorded of it. */
final class Outcomes {

  private Outcomes() {}

  /** With its texts cut to what is kept. */
  static Outcome storable(Outcome outcome) {
    if (!(outcome instanceof Outcome.Failed failed)) {
      return outcome;
    }
    Failure failure = failed.failure();
    return new Outcome.Failed(
        failure.withMessage(cut(failure.message(), Failures.MOST_MESSAGE_CHARACTERS)),
        cut(failed.stack(), Failures.MOST_STACK_CHARACTERS));
  }

  private static @Nullable String cut(@Nullable String text, int most) {
    return text == null ? null : Failures.cut(text, most);
  }

  /** True when the record says what the outcome says, but for texts that are meant for people. */
  static boolean isSame(AttemptNote recorded, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded done ->
          recorded.outcome() == AttemptOutcome.SUCCESS
              && Objects.equals(recorded.result(), done.result());
      case Outcome.Failed failed ->
          recorded.outcome() == AttemptOutcome.FAILURE && isSame(recorded, failed.failure());
      case Outcome.TimedOut silent -> false;
      case Outcome.Entrusted elsewhere -> false;
      case Outcome.Snoozed snoozed -> recorded.outcome() == AttemptOutcome.SNOOZED;
      case Outcome.HandedBack back -> recorded.outcome() == AttemptOutcome.HANDED_BACK;
      case Outcome.Parked parked -> recorded.outcome() == AttemptOutcome.HANDED_BACK;
    };
  }

  private static boolean isSame(AttemptNote recorded, Failure failure) {
    return failure.kind().text().equals(recorded.failureKind())
        && failure.status() == recorded.status()
        && Objects.equals(failure.code(), recorded.code());
  }

  static String described(AttemptNote recorded) {
    String kind = recorded.failureKind();
    return recorded.outcome().text() + (kind == null ? "" : " (" + kind + ")");
  }
}
