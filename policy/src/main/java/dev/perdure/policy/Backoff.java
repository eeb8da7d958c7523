// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/**
 * How the base delay grows with the failed attempt n, counted from 0.
 *
 * <table>
 *   <caption>Delays after attempts 0, 1, 2, 3</caption>
 *   <tr><td>{@link Immediate}</td><td>0, 0, 0, 0</td></tr>
 *   <tr><td>{@link Fixed} 5 s</td><td>5 s, 5 s, 5 s, 5 s</td></tr>
 *   <tr><td>{@link Linear} 1 s + 2 s</td><td>1 s, 3 s, 5 s, 7 s</td></tr>
 *   <tr><td>{@link Exponential} 1 s × 2</td><td>1 s, 2 s, 4 s, 8 s</td></tr>
 *   <tr><td>{@link Schedule} 1 h, 1 d</td><td>1 h, 1 d, 1 d, 1 d</td></tr>
 *   <tr><td>{@link Ladder} 2 × 5 m, 1 × 1 h</td><td>5 m, 5 m, 1 h, the end</td></tr>
 * </table>
 */
public sealed interface Backoff {

  /** The most entries of a schedule, and the most steps of a ladder. */
  int MAX_ENTRIES = 50;

  /** A backoff that starts at {@code initial} and grows; the only kind to decorrelate. */
  sealed interface Growing extends Backoff {
    Duration initial();
  }

  /** No wait at all. */
  enum Immediate implements Backoff {
    INSTANCE
  }

  /** The same delay each time. */
  record Fixed(Duration delay) implements Backoff {
    public Fixed {
      FieldErrors problems = new FieldErrors();
      problems.requireDelay("delay", delay);
      problems.throwIfAny();
    }
  }

  /** {@code initial + increment × n}. */
  record Linear(Duration initial, Duration increment) implements Growing {
    public Linear {
      FieldErrors problems = new FieldErrors();
      problems.requireDelay("initial", initial);
      problems.requireDelay("increment", increment);
      problems.throwIfAny();
    }
  }

  /** {@code initial × multiplier^n}. */
  record Exponential(Duration initial, double multiplier) implements Growing {

    /** The multiplier of a policy that names none. */
    public static final double DEFAULT_MULTIPLIER = 2.0;

    public Exponential {
      FieldErrors problems = new FieldErrors();
      problems.requireDelay("initial", initial);
      problems.require(
          multiplier >= 1 && Double.isFinite(multiplier),
          "multiplier",
          "must be a finite number of at least 1, not " + multiplier);
      problems.throwIfAny();
    }
  }

  /** A delay for each attempt; past the last one, the last one again. */
  record Schedule(List<Duration> delays) implements Backoff {
    public Schedule {
      FieldErrors problems = new FieldErrors();
      problems.require(!delays.isEmpty(), "delays", "needs at least one delay");
      problems.require(
          delays.size() <= MAX_ENTRIES,
          "delays",
          "has %d entries, at most %d are allowed".formatted(delays.size(), MAX_ENTRIES));
      for (int i = 0; i < Math.min(delays.size(), MAX_ENTRIES); i++) {
        problems.requireDelay("delays[" + i + "]", delays.get(i));
      }
      problems.throwIfAny();
      delays = List.copyOf(delays);
    }
  }

  /** Steps climbed one after the other; past a last step that ends, there are no more retries. */
  record Ladder(List<Step> steps) implements Backoff {
    public Ladder {
      FieldErrors problems = new FieldErrors();
      problems.require(!steps.isEmpty(), "steps", "needs at least one step");
      problems.require(
          steps.size() <= MAX_ENTRIES,
          "steps",
          "has %d entries, at most %d are allowed".formatted(steps.size(), MAX_ENTRIES));
      for (int i = 0; i < steps.size() - 1; i++) {
        problems.require(
            !steps.get(i).endless(),
            "steps[" + i + "].count",
            "0 means for ever and may stand in the last step only");
      }
      problems.throwIfAny();
      steps = List.copyOf(steps);
    }

    /** True when the last step goes on for ever. */
    public boolean endless() {
      return steps.getLast().endless();
    }
  }

  /**
   * One step of a ladder: so many retries with the same delay.
   *
   * @param count how many, or 0 for ever
   */
  record Step(int count, Duration delay) {
    public Step {
      FieldErrors problems = new FieldErrors();
      problems.require(count >= 0, "count", "must be 0 (for ever) or more, not " + count);
      problems.requireDelay("delay", delay);
      problems.throwIfAny();
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

  /** A step of a ladder: so many retries, each after this delay. */
  static Step step(int count, Duration delay) {
    if (count == 0) {
      throw new IllegalArgumentException("count must be 1 or more; forever(delay) never ends");
    }
    return new Step(count, requireNonNull(delay));
  }

  /** The last step of a ladder that never ends. */
  static Step forever(Duration delay) {
    return new Step(0, delay);
  }
}
