// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

/** How a delay is spread, so that many clients do not come back at the same instant. */
public sealed interface Jitter {

  /** What a policy has that names no jitter: a quarter to either side. */
  Independent DEFAULT = new Spread(0.25);

  /** Jitter of the base delay alone; it goes with every backoff. */
  sealed interface Independent extends Jitter {}

  /** The base itself. */
  enum None implements Independent {
    INSTANCE
  }

  /** Anything from 0 to the base. */
  enum Full implements Independent {
    INSTANCE
  }

  /** Anything from half the base to the base. */
  enum Equal implements Independent {
    INSTANCE
  }

  /** {@code base × (1 − factor)} to {@code base × (1 + factor)}. */
  record Spread(double factor) implements Independent {
    public Spread {
      requireFactor(factor);
    }
  }

  /** The base to {@code base × (1 + factor)}: never earlier than the base. */
  record Add(double factor) implements Independent {
    public Add {
      requireFactor(factor);
    }
  }

  /** The initial delay to three times the delay before. Goes with a growing backoff only. */
  enum Decorrelated implements Jitter {
    INSTANCE
  }

  static Independent none() {
    return None.INSTANCE;
  }

  static Independent full() {
    return Full.INSTANCE;
  }

  static Independent equal() {
    return Equal.INSTANCE;
  }

  static Independent spread(double factor) {
    return new Spread(factor);
  }

  static Independent add(double factor) {
    return new Add(factor);
  }

  static Decorrelated decorrelated() {
    return Decorrelated.INSTANCE;
  }

  private static void requireFactor(double factor) {
    FieldErrors fieldErrors = new FieldErrors();
    // By compare, which also refuses -0.0: policies are compared by their fields.
    boolean inside = Double.compare(factor, 0) >= 0 && Double.compare(factor, 1) <= 0;
    fieldErrors.require(inside, "factor", "must be between 0 and 1, not " + factor);
    fieldErrors.throwIfAny();
  }
}
