// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What entitles a caller from outside to report on an attempt. */
public sealed interface AttemptCredential {

  /** The lease: its worker got this epoch with the claim. */
  record LeaseCredential(long epoch) implements AttemptCredential {
    @Override
    public boolean matches(Task task) {
      return task.state().isLeased() && task.epoch() == epoch;
    }

    @Override
    public Optional<Attempt> endedAttempt(Task task, List<Attempt> attempts) {
      return attempts.stream().filter(attempt -> attempt.epoch() == epoch).findFirst();
    }

    @Override
    public long firstEpoch(Task task) {
      return epoch;
    }

    @Override
    public String toString() {
      return "the lease of epoch " + epoch;
    }
  }

  /**
   * A handle that was issued to a callee. It is bound to the first lease of the attempt and valid
   * for every later lease of the same attempt.
   */
  record HandleCredential(long handleEpoch) implements AttemptCredential {
    @Override
    public boolean matches(Task task) {
      return task.state().isLeased() && isSameAttempt(task);
    }

    /**
     * True when the handle belongs to the task's current attempt, whether or not a worker holds it.
     */
    public boolean isSameAttempt(Task task) {
      Long current = task.handleEpoch();
      return current != null && current == handleEpoch;
    }

    @Override
    public Optional<Attempt> endedAttempt(Task task, List<Attempt> attempts) {
      Optional<Attempt> first = new LeaseCredential(handleEpoch).endedAttempt(task, attempts);
      return first.flatMap(
          found ->
              attempts.stream()
                  .filter(attempt -> attempt.number() == found.number())
                  .max(Comparator.comparingLong(Attempt::epoch)));
    }

    @Override
    public long firstEpoch(Task task) {
      return handleEpoch;
    }

    @Override
    public String toString() {
      return "the handle of epoch " + handleEpoch;
    }
  }

  /** An operator, who may report on whichever attempt is running. */
  record OperatorCredential() implements AttemptCredential {
    @Override
    public boolean matches(Task task) {
      return task.state().isLeased();
    }

    @Override
    public Optional<Attempt> endedAttempt(Task task, List<Attempt> attempts) {
      return new LeaseCredential(task.epoch()).endedAttempt(task, attempts);
    }

    @Override
    public long firstEpoch(Task task) {
      return task.epoch();
    }

    @Override
    public String toString() {
      return "an operator";
    }
  }

  static AttemptCredential ofLease(long epoch) {
    return new LeaseCredential(epoch);
  }

  static AttemptCredential ofHandle(long handleEpoch) {
    return new HandleCredential(handleEpoch);
  }

  static AttemptCredential ofOperator() {
    return new OperatorCredential();
  }

  /** True when the credential is valid for the running attempt. */
  boolean matches(Task task);

  /** The record of the attempt that the credential is for, if that attempt has ended. */
  Optional<Attempt> endedAttempt(Task task, List<Attempt> attempts);

  /** The first epoch of the attempt that the credential is for. */
  long firstEpoch(Task task);
}
