// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects problems, so that all of them are told at once. */
public final class Problems {

  private final List<Problem> found = new ArrayList<>();

  /** Begins with none. */
  public Problems() {}

  public void add(String path, String message) {
    found.add(new Problem(path, message));
  }

  /** What the supplier makes; or null, with its problems kept as problems of this path. */
  public <T> @Nullable T collect(String path, Supplier<T> part) {
    try {
      return part.get();
    } catch (InvalidPolicyException e) {
      e.problems().forEach(problem -> found.add(path.isEmpty() ? problem : problem.under(path)));
      return null;
    }
  }

  /** Everything found so far. */
  public List<Problem> found() {
    return List.copyOf(found);
  }

  /**
   * Goes on only when nothing is wrong.
   *
   * @throws InvalidPolicyException with everything found so far
   */
  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new InvalidPolicyException(found);
    }
  }

  void require(boolean holds, String path, String message) {
    if (!holds) {
      add(path, message);
    }
  }

  void requireDelay(String path, @Nullable Duration value) {
    Millis.problemOf(value).ifPresent(message -> add(path, message));
  }
}
