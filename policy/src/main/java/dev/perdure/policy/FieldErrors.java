// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects problems, so that all of them are told at once. */
public final class FieldErrors {

  /** The most problems told at once; a hostile input could hold any number of them. */
  public static final int MAX_ERRORS = 100;

  private final List<FieldError> found = new ArrayList<>();

  /** Begins with none. */
  public FieldErrors() {}

  public void add(String path, String message) {
    add(new FieldError(path, message));
  }

  /** Keeps the problem; past the last one, only that there are more. */
  public void add(FieldError fieldError) {
    if (found.size() < MAX_ERRORS) {
      found.add(fieldError);
    } else if (found.size() == MAX_ERRORS) {
      found.add(new FieldError("", "there are more problems than these " + MAX_ERRORS));
    }
  }

  /** What the supplier makes; or null, with its problems kept as problems of this path. */
  public <T> @Nullable T collect(String path, Supplier<T> part) {
    try {
      return part.get();
    } catch (InvalidPolicyException e) {
      e.errors().forEach(fieldError -> add(path.isEmpty() ? fieldError : fieldError.under(path)));
      return null;
    }
  }

  /** True when no further problem would be told. */
  public boolean isFull() {
    return found.size() > MAX_ERRORS;
  }

  public int count() {
    return found.size();
  }

  /** Everything found so far. */
  public List<FieldError> list() {
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

  /** True when the value can be a delay of a policy; says what is wrong with it otherwise. */
  public boolean requireDelay(String path, @Nullable Duration value) {
    Optional<String> wrong = Millis.errorIn(value);
    wrong.ifPresent(message -> add(path, message));
    return wrong.isEmpty();
  }
}
