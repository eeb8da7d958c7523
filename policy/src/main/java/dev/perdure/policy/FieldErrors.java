// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects validation errors, so that all of them can be reported at once. */
public final class FieldErrors {

  /** The maximum number of errors that are kept; hostile input can contain any number of them. */
  public static final int MAX_ERRORS = 100;

  private final List<FieldError> found = new ArrayList<>();

  /** Creates an empty collection. */
  public FieldErrors() {}

  public void add(String path, String message) {
    add(new FieldError(path, message));
  }

  /** Adds an error. Beyond {@link #MAX_ERRORS} it only notes that there are more. */
  public void add(FieldError error) {
    if (found.size() < MAX_ERRORS) {
      found.add(error);
    } else if (found.size() == MAX_ERRORS) {
      found.add(
          new FieldError(
              "", "there are more than " + MAX_ERRORS + " errors; only the first are listed"));
    }
  }

  /**
   * Returns the value of the supplier. If it throws {@link InvalidPolicyException}, adds its errors
   * under this path and returns null.
   */
  public <T> @Nullable T collect(String path, Supplier<T> part) {
    try {
      return part.get();
    } catch (InvalidPolicyException e) {
      e.errors().forEach(error -> add(path.isEmpty() ? error : error.under(path)));
      return null;
    }
  }

  /** Returns true if further errors would not be kept. */
  public boolean isFull() {
    return found.size() > MAX_ERRORS;
  }

  public int count() {
    return found.size();
  }

  /** Returns the errors found so far. */
  public List<FieldError> list() {
    return List.copyOf(found);
  }

  /**
   * Throws if there are any errors.
   *
   * @throws InvalidPolicyException with all errors found so far
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

  /** Returns true if the value is a valid delay; adds an error otherwise. */
  public boolean requireDelay(String path, @Nullable Duration value) {
    Optional<String> wrong = Millis.errorIn(value);
    wrong.ifPresent(message -> add(path, message));
    return wrong.isEmpty();
  }
}
