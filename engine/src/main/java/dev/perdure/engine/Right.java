// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** By what right somebody outside speaks for an attempt. */
public sealed interface Right {

  /** Its worker, who was given this epoch with the claim. */
  record OfLease(long epoch) implements Right {
    @Override
    public boolean covers(Task task) {
      return task.state().isHeld() && task.epoch() == epoch;
    }

    @Override
    public Optional<Attempt> recorded(Task task, List<Attempt> attempts) {
      return attempts.stream().filter(attempt -> attempt.epoch() == epoch).findFirst();
    }

    @Override
    public long since(Task task) {
      return epoch;
    }

    @Override
    public String toString() {
      return "the lease of epoch " + epoch;
    }
  }

  /**
   * A callee, who was given a handle with its call. It is bound to the first lease of the attempt,
   * and good for every later one of the same attempt.
   */
  record OfHandle(long handleEpoch) implements Right {
    @Override
    public boolean covers(Task task) {
      return task.state().isHeld() && isOf(task);
    }

    /** True when the task's attempt is the one of the handle, whether or not somebody has it. */
    public boolean isOf(Task task) {
      Long current = task.handleEpoch();
      return current != null && current == handleEpoch;
    }

    @Override
    public Optional<Attempt> recorded(Task task, List<Attempt> attempts) {
      Optional<Attempt> first = new OfLease(handleEpoch).recorded(task, attempts);
      return first.flatMap(
          found ->
              attempts.stream()
                  .filter(attempt -> attempt.number() == found.number())
                  .max(Comparator.comparingLong(Attempt::epoch)));
    }

    @Override
    public long since(Task task) {
      return handleEpoch;
    }

    @Override
    public String toString() {
      return "the handle of epoch " + handleEpoch;
    }
  }

  /** An operator, for whichever attempt is under way. */
  record OfOperator() implements Right {
    @Override
    public boolean covers(Task task) {
      return task.state().isHeld();
    }

    @Override
    public Optional<Attempt> recorded(Task task, List<Attempt> attempts) {
      return new OfLease(task.epoch()).recorded(task, attempts);
    }

    @Override
    public long since(Task task) {
      return task.epoch();
    }

    @Override
    public String toString() {
      return "an operator";
    }
  }

  static Right ofLease(long epoch) {
    return new OfLease(epoch);
  }

  static Right ofHandle(long handleEpoch) {
    return new OfHandle(handleEpoch);
  }

  static Right ofOperator() {
    return new OfOperator();
  }

  /** True when the attempt under way is the one it speaks for. */
  boolean covers(Task task);

  /** How the attempt ended that it speaks for, if that has ended. */
  Optional<Attempt> recorded(Task task, List<Attempt> attempts);

  /** The first epoch of the attempt that it speaks for. */
  long since(Task task);
}
