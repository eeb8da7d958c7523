// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.task.TaskChange;
import dev.perdure.testing.internal.LimitAccounting;
import java.util.function.Predicate;

/** Some ends of leases do not free the places of the task. */
final class EndsThatKeepPlaces implements LimitAccounting {

  private final Predicate<TaskChange> keeps;

  EndsThatKeepPlaces(Predicate<TaskChange> keeps) {
    this.keeps = keeps;
  }

  @Override
  public boolean frees(TaskChange change) {
    return !keeps.test(change);
  }
}
