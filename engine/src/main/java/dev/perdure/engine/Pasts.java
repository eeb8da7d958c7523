// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.AttemptNote;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Past;
import dev.perdure.policy.FailedAttempt;
import dev.perdure.policy.Failure;
import dev.perdure.policy.UnfinishedWork;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The past of a task that was begun in a process, as it is stored. */
final class Pasts {

  /** Who made the attempts that came before the task. */
  static final String WORKER = "in-process";

  private Pasts() {}

  static Past of(UnfinishedWork work) {
    return new Past(WORKER, work.age(), work.attempts().stream().map(Pasts::attempt).toList());
  }

  /** The delay counts from the end of the last attempt, as it would have in the process. */
  static Due due(UnfinishedWork work) {
    FailedAttempt last = work.attempts().getLast();
    Duration left = last.delay().minus(last.endedAgo());
    return left.isNegative() ? Due.now() : Due.in(left);
  }

  private static Past.Failed attempt(FailedAttempt failed) {
    AttemptNote note = AttemptNote.failure(failure(failed), stack(failed), failed.delay());
    return new Past.Failed(failed.number(), failed.startedAgo(), failed.endedAgo(), note);
  }

  private static Failure failure(FailedAttempt failed) {
    String message = failed.failure().message();
    return message == null
        ? failed.failure()
        : failed.failure().withMessage(Failures.cut(message, Failures.MOST_MESSAGE_CHARACTERS));
  }

  private static @Nullable String stack(FailedAttempt failed) {
    return failed.thrown() == null ? null : Failures.stack(failed.thrown());
  }
}
