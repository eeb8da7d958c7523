// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/**
 * How the base delay grows with the number n of the failed attempt, counted from 0.
 *
 * <table>
 *   <caption>Delays after attempts 0, 1, 2, 3</caption>
 *   <tr><td>{@link Immediate}</td><td>0, 0, 0, 0</td></tr>
 *   <tr><td>{@link Fixed} 5 s</td><td>5 s, 5 s, 5 s, 5 s</td></tr>
 *   <tr><td>{@link Linear} 1 s + 2 s</td><td>1 s, 3 s, 5 s, 7 s</td></tr>
 *   <tr><td>{@link Exponential} 1 s × 2</td><td>1 s, 2 s, 4 s, 8 s</td></tr>
 *   <tr><td>{@link Schedule} 1 h, 1 d</td><td>1 h, 1 d, 1 d, 1 d</td></tr>
 *   <tr><td>{@link Ladder} 2 × 5 m, 1 × 1 h</td><td>5 m, 5 m, 1 h, give up</td></tr>
 * </table>
 */
public sealed interface Backoff {

  /** The maximum number of delays in a schedule and of steps in a ladder. */
  int MAX_ENTRIES = 50;

  /** A backoff that starts at {@code initial} and grows. Only these accept decorrelated jitter. */
  sealed interface Growing extends Backoff {
    Duration initial();
  }

  /** No delay. */
  enum Immediate implements Backoff {
    INSTANCE
  }

  /** The same delay before every retry. */
  record Fixed(Duration delay) implements Backoff {
    public Fixed {
      FieldErrors errors = new FieldErrors();
      errors.requireDelay("delay", delay);
      errors.throwIfAny();
    }
  }

  /** A delay of {@code initial + increment × n}. */
  record Linear(Duration initial, Duration increment) implements Growing {
    public Linear {
      FieldErrors errors = new FieldErrors();
      errors.requireDelay("initial", initial);
      errors.requireDelay("increment", increment);
      errors.throwIfAny();
    }
  }

  /** A delay of {@code initial × multiplier^n}. */
  record Exponential(Duration initial, double multiplier) implements Growing {

    /** The multiplier of a policy that does not set one. */
    public static final double DEFAULT_MULTIPLIER = 2.0;

    public Exponential {
      FieldErrors errors = new FieldErrors();
      errors.requireDelay("initial", initial);
      errors.require(
          multiplier >= 1 && Double.isFinite(multiplier),
          "multiplier",
          "must be a finite number of at least 1, not " + multiplier);
      errors.throwIfAny();
    }
  }

  /** A list of delays, one per retry. The last delay repeats if there are more retries. */
  record Schedule(List<Duration> delays) implements Backoff {
    public Schedule {
      FieldErrors errors = new FieldErrors();
      errors.require(!delays.isEmpty(), "delays", "needs at least one delay");
      errors.require(
          delays.size() <= MAX_ENTRIES,
          "delays",
          "has %d entries, at most %d are allowed".formatted(delays.size(), MAX_ENTRIES));
      for (int i = 0; i < Math.min(delays.size(), MAX_ENTRIES); i++) {
        errors.requireDelay("delays[" + i + "]", delays.get(i));
      }
      errors.throwIfAny();
      delays = List.copyOf(delays);
    }
  }

  /** A sequence of steps. The retries end after the last step unless that step is endless. */
  record Ladder(List<Step> steps) implements Backoff {
    public Ladder {
      FieldErrors errors = new FieldErrors();
      errors.require(!steps.isEmpty(), "steps", "needs at least one step");
      errors.require(
          steps.size() <= MAX_ENTRIES,
          "steps",
          "has %d entries, at most %d are allowed".formatted(steps.size(), MAX_ENTRIES));
      for (int i = 0; i < steps.size() - 1; i++) {
        errors.require(
            !steps.get(i).endless(),
            "steps[" + i + "].count",
            "0 means forever and is allowed only in the last step");
      }
      errors.throwIfAny();
      steps = List.copyOf(steps);
    }

    /** Returns true if the last step never ends. */
    public boolean endless() {
      return steps.getLast().endless();
    }
  }

  /**
   * One step of a ladder: a number of retries with the same delay.
   *
   * @param count the number of retries, or 0 for a step that never ends
   */
  record Step(int count, Duration delay) {
    public Step {
      FieldErrors errors = new FieldErrors();
      errors.require(count >= 0, "count", "must be 0 (forever) or more, not " + count);
      errors.requireDelay("delay", delay);
      errors.throwIfAny();
    }

    public boolean endless() {
      return count == 0;
    }
  }

  static Backoff immediate() {
    return Immediate.INSTANCE;
  }

  static Fixed fixed(Duration delay) {
    return new Fixed(delay);
  }

  static Linear linear(Duration initial, Duration increment) {
    return new Linear(initial, increment);
  }

  static Exponential exponential(Duration initial, double multiplier) {
    return new Exponential(initial, multiplier);
  }

  static Schedule schedule(Duration... delays) {
    return new Schedule(List.of(delays));
  }

  static Ladder ladder(Step... steps) {
    return new Ladder(List.of(steps));
  }

  /** Creates a ladder step of {@code count} retries, each after this delay. */
  static Step step(int count, Duration delay) {
    if (count == 0) {
      throw new IllegalArgumentException(
          "count must be 1 or more; for an endless step use forever(delay)");
    }
    return new Step(count, requireNonNull(delay));
  }

  /** Creates a ladder step that never ends; only the last step can be one. */
  static Step forever(Duration delay) {
    return new Step(0, delay);
  }
}
