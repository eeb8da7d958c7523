// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** When to stop retrying, however many retries are left. */
public sealed interface Expiry {

  /** The policy does not expire. */
  enum Never implements Expiry {
    INSTANCE
  }

  /** The policy expires this long after the work first became due. */
  record After(Duration age) implements Expiry {
    public After {
      FieldErrors errors = new FieldErrors();
      errors.requireDelay("expires_after", age);
      errors.throwIfAny();
    }
  }

  /** The policy expires at this instant, which is cut to milliseconds. */
  record At(Instant instant) implements Expiry {
    public At {
      instant = requireNonNull(instant, "expires_at").truncatedTo(ChronoUnit.MILLIS);
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
