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
 * Looks after callees that took a task over when it had ended already. Mostly it was the callee
 * itself that ended it, before it answered. When it was somebody else, the callee works in vain;
 * how to tell it so stood in its answer, and could not be known before.
 */
final class LateCancelNotifier {

  private static final int MAX_RECORDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  private final TaskStore store;
  private final TaskLifecycle taskLifecycle;

  LateCancelNotifier(TaskStore store, TaskLifecycle taskLifecycle) {
    this.store = store;
    this.taskLifecycle = taskLifecycle;
  }

  /**
   * The change that entrusts the task was refused.
   *
   * @return true when the attempt had ended; false when it was lost or handed back, and the callee
   *     is called again
   */
  boolean notifyIfEnded(Task task, TaskChange entrusting) {
    try {
      Optional<AttemptDetails> end = end(entrusting);
      if (end.filter(LateCancelNotifier::needsCancel).isPresent()) {
        taskLifecycle
            .lateCancelDeliveries(task, entrusting)
            .forEach(delivery -> store.outbox().enqueue(task.id(), delivery));
      }
      return end.isPresent();
    } catch (RuntimeException problem) {
      LOG.atWarn()
          .setCause(problem)
          .addKeyValue("task", task.id())
          .log("nobody knows whether its callee is to be told to stop");
      return false;
    }
  }

  /** How the lease ended, if nothing follows for the same attempt. */
  private Optional<AttemptDetails> end(TaskChange entrusting) {
    return store.reader().attempts(entrusting.task(), MAX_RECORDS).stream()
        .filter(record -> record.epoch() == entrusting.guard().epoch())
        .map(Attempt::details)
        .filter(LateCancelNotifier::isFinal)
        .findFirst();
  }

  private static boolean isFinal(AttemptDetails note) {
    return switch (note.outcome()) {
      case SUCCESS, FAILURE, CANCELED -> true;
      case LOST, HANDED_BACK, SNOOZED -> false;
    };
  }

  /** Canceled, silent for too long, or past its deadline, which is no failure of any kind. */
  private static boolean needsCancel(AttemptDetails note) {
    String kind = note.failureKind();
    return note.outcome() == AttemptOutcome.CANCELED
        || (note.outcome() == AttemptOutcome.FAILURE
            && (kind == null || kind.equals(FailureKind.TIMEOUT.text())));
  }
}
