// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Propagates the ends of tasks to the tasks that depend on them.
 *
 * <p>A write that ends or revives a task with dependents records an event in its own transaction;
 * {@link #propagate} makes the dependencies agree with the task's state at that time, in a
 * transaction of its own. It compares states instead of repeating events, so a crash, a repetition
 * or a revive in between does no harm.
 */
public interface DependencyStore {

  /** Maximum number of dependencies that one call changes. */
  int MAX_BATCH_SIZE = 1_000;

  /**
   * Handles recorded events, the oldest first. Several nodes may call it at once; they handle
   * different events.
   *
   * @param limit maximum number of changed dependencies, 1 to {@link #MAX_BATCH_SIZE}
   */
  Propagation propagate(int limit);

  /**
   * What one call did.
   *
   * @param events events that are done
   * @param dependencies dependencies that got another outcome
   * @param released tasks that wait no longer
   * @param undecided tasks that {@link ParentStatus#needsDecision() need a decision}; later calls
   *     return them again until it is written
   * @param deadEnds live tasks to cancel because all tasks that depend on them have ended; later
   *     calls return them again until they have ended
   * @param lag how long ago the oldest event happened; null when there was none
   */
  record Propagation(
      int events,
      int dependencies,
      int released,
      List<UUID> undecided,
      List<UUID> deadEnds,
      @Nullable Duration lag) {

    public static final Propagation NONE = new Propagation(0, 0, 0, List.of(), List.of(), null);

    public Propagation {
      undecided = List.copyOf(undecided);
      deadEnds = List.copyOf(deadEnds);
    }

    /** Both together; the lag is the longer one. */
    public Propagation plus(Propagation other) {
      return new Propagation(
          events + other.events(),
          dependencies + other.dependencies(),
          released + other.released(),
          both(undecided, other.undecided()),
          both(deadEnds, other.deadEnds()),
          longer(lag, other.lag()));
    }

    private static List<UUID> both(List<UUID> one, List<UUID> other) {
      List<UUID> all = new ArrayList<>(one);
      all.addAll(other);
      return all;
    }

    private static @Nullable Duration longer(@Nullable Duration one, @Nullable Duration other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      return one.compareTo(other) >= 0 ? one : other;
    }
  }
}
