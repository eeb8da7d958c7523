// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;

/** When to stop trying, however many retries are left. */
public sealed interface Expiry {

  /** Not by time. */
  enum Never implements Expiry {
    INSTANCE
  }

  /** So long after the work first became due. */
  record After(Duration age) implements Expiry {
    public After {
      FieldErrors problems = new FieldErrors();
      problems.requireDelay("expires_after", age);
      problems.throwIfAny();
    }
  }

  /** At an instant. */
  record At(Instant instant) implements Expiry {
    public At {
      requireNonNull(instant, "expires_at");
    }
  }

  static Expiry never() {
    return Never.INSTANCE;
  }

  static Expiry after(Duration age) {
    return new After(age);
  }

  static Expiry at(Instant instant) {
    return new At(instant);
  }
}
