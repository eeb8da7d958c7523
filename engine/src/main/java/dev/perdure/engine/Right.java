// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Task;
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
    public String toString() {
      return "the lease of epoch " + epoch;
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
    public String toString() {
      return "an operator";
    }
  }

  static Right ofLease(long epoch) {
    return new OfLease(epoch);
  }

  static Right ofOperator() {
    return new OfOperator();
  }

  /** True when the attempt under way is the one it speaks for. */
  boolean covers(Task task);

  /** How the attempt ended that it speaks for, if that has ended. */
  Optional<Attempt> recorded(Task task, List<Attempt> attempts);
}
