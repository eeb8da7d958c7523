// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

/** How a delay is randomised, so that many clients do not retry at the same instant. */
public sealed interface Jitter {

  /** The jitter of a policy that does not set one: a spread of 25 % to either side. */
  Independent DEFAULT = new Spread(0.25);

  /** Jitter that depends only on the base delay. It works with every backoff. */
  sealed interface Independent extends Jitter {}

  /** Exactly the base delay. */
  enum None implements Independent {
    INSTANCE
  }

  /** Between 0 and the base delay. */
  enum Full implements Independent {
    INSTANCE
  }

  /** Between half the base delay and the base delay. */
  enum Equal implements Independent {
    INSTANCE
  }

  /** Between {@code base × (1 − factor)} and {@code base × (1 + factor)}. */
  record Spread(double factor) implements Independent {
    public Spread {
      requireFactor(factor);
    }
  }

  /** Between the base delay and {@code base × (1 + factor)}: never earlier than the base delay. */
  record Add(double factor) implements Independent {
    public Add {
      requireFactor(factor);
    }
  }

  /**
   * Between the initial delay and three times the previous delay. Works only with a growing
   * backoff.
   */
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
    FieldErrors errors = new FieldErrors();
    // Double.compare also rejects -0.0, which would make policies unequal that behave the same.
    boolean inside = Double.compare(factor, 0) >= 0 && Double.compare(factor, 1) <= 0;
    errors.require(inside, "factor", "must be between 0 and 1, not " + factor);
    errors.throwIfAny();
  }
}
