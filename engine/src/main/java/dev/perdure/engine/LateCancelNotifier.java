// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.policy.FailureKind;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles hand-offs that come after the task has ended. In most cases the callee itself ended the
 * task before it answered the call. Otherwise the callee does work that nothing needs, and must be
 * told to stop. Its answer says how, so it could not be told earlier.
 */
final class LateCancelNotifier {

  private static final int MAX_RECORDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  private final TaskStore store;
  private final TaskLifecycle lifecycle;

  LateCancelNotifier(TaskStore store, TaskLifecycle lifecycle) {
    this.store = store;
    this.lifecycle = lifecycle;
  }

  /**
   * Handles a refused hand-off.
   *
   * @return true when the attempt had ended; false when it was lost or handed back, and the callee
   *     will be called again
   */
  boolean notifyIfEnded(Task task, TaskChange handOff) {
    try {
      Optional<AttemptDetails> end = end(handOff);
      if (end.filter(LateCancelNotifier::needsCancel).isPresent()) {
        lifecycle
            .lateCancelDeliveries(task, handOff)
            .forEach(delivery -> store.outbox().enqueue(task.id(), delivery));
      }
      return end.isPresent();
    } catch (RuntimeException problem) {
      LOG.atWarn()
          .setCause(problem)
          .addKeyValue("task", task.id())
          .log("cannot tell whether the callee must be told to stop");
      return false;
    }
  }

  /** How the lease ended, if the same attempt does not run again. */
  private Optional<AttemptDetails> end(TaskChange handOff) {
    return store.reader().attempts(handOff.task(), MAX_RECORDS).stream()
        .filter(record -> record.epoch() == handOff.guard().epoch())
        .map(Attempt::details)
        .filter(LateCancelNotifier::isFinal)
        .findFirst();
  }

  private static boolean isFinal(AttemptDetails details) {
    return switch (details.outcome()) {
      case SUCCESS, FAILURE, CANCELED, RESOLVED -> true;
      case LOST, HANDED_BACK, SNOOZED -> false;
    };
  }

  /**
   * True when it was canceled, timed out or passed its deadline; a passed deadline has no failure
   * kind.
   */
  private static boolean needsCancel(AttemptDetails details) {
    String kind = details.failureKind();
    return details.outcome() == AttemptOutcome.CANCELED
        || (details.outcome() == AttemptOutcome.FAILURE
            && (kind == null || kind.equals(FailureKind.TIMEOUT.text())));
  }
}
