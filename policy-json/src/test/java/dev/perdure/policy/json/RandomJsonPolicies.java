// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.PolicyOverride;
import dev.perdure.policy.RetryAfter;
import dev.perdure.policy.RetryLimit;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Generates any valid policy from a seed. */
final class RandomJsonPolicies {

  private static final int MAX_DRAWS = 1_000;
  private static final long MAX_MILLIS = Duration.ofDays(36_500).toMillis();
  private static final List<String> NAMES =
      List.of("no_slots", "a b", "x:y", "é—😀", "\"quoted\"", "java.io.IOException", "C$D", "5xx");

  private final SplittableRandom random;

  private RandomJsonPolicies(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Returns the policy of this seed; the same seed always gives the same policy. */
  static RetryPolicy of(long seed) {
    RandomJsonPolicies policies = new RandomJsonPolicies(seed);
    if (policies.random.nextInt(200) == 0) {
      return RetryPolicy.none();
    }
    for (int draws = 0; draws < MAX_DRAWS; draws++) {
      try {
        return policies.policy();
      } catch (InvalidPolicyException e) {
        // max_delay is below the first delay, or the jitter does not fit the backoff: draw again.
      }
    }
    throw new IllegalStateException("no valid policy for seed " + seed);
  }

  private RetryPolicy policy() {
    return new RetryPolicy(
        limit(),
        backoff(),
        jitter(),
        maybe(this::duration),
        expiry(),
        coin() ? List.of(FailureMatcher.any()) : matchers(1),
        coin() ? List.of() : matchers(0),
        retryAfter(),
        overrides());
  }

  private RetryLimit limit() {
    return switch (random.nextInt(4)) {
      case 0 -> RetryLimit.noLimit();
      case 1 -> RetryLimit.of(random.nextInt(Integer.MAX_VALUE));
      case 2 -> RetryLimit.of(random.nextInt(3));
      default -> RetryLimit.DEFAULT;
    };
  }

  private Backoff backoff() {
    return switch (random.nextInt(6)) {
      case 0 -> Backoff.immediate();
      case 1 -> Backoff.fixed(duration());
      case 2 -> Backoff.linear(duration(), duration());
      case 3 -> Backoff.exponential(duration(), multiplier());
      case 4 -> new Backoff.Schedule(many(1, 50, this::duration));
      default -> ladder();
    };
  }

  private double multiplier() {
    return switch (random.nextInt(5)) {
      case 0 -> 1;
      case 1 -> 2;
      case 2 -> Double.MAX_VALUE;
      case 3 -> Math.nextUp(1.0);
      default -> random.nextDouble(1, 1_000);
    };
  }

  private Backoff ladder() {
    List<Backoff.Step> steps =
        new ArrayList<>(many(0, 49, () -> new Backoff.Step(random.nextInt(1, 1_000), duration())));
    steps.add(new Backoff.Step(coin() ? 0 : random.nextInt(1, Integer.MAX_VALUE), duration()));
    return new Backoff.Ladder(steps);
  }

  private Jitter jitter() {
    return switch (random.nextInt(6)) {
      case 0 -> Jitter.none();
      case 1 -> Jitter.full();
      case 2 -> Jitter.equal();
      case 3 -> Jitter.decorrelated();
      case 4 -> Jitter.spread(factor());
      default -> Jitter.add(factor());
    };
  }

  private double factor() {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> 0.25;
      case 3 -> Double.MIN_VALUE;
      default -> random.nextDouble();
    };
  }

  private Expiry expiry() {
    return switch (random.nextInt(4)) {
      case 0 -> Expiry.after(duration());
      case 1 -> Expiry.at(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
      case 2 -> Expiry.at(coin() ? Instant.MIN : Instant.MAX);
      default -> Expiry.never();
    };
  }

  private RetryAfter retryAfter() {
    return switch (random.nextInt(4)) {
      case 0 -> RetryAfter.ignored();
      case 1 -> new RetryAfter(coin(), duration());
      default -> RetryAfter.DEFAULT;
    };
  }

  private List<PolicyOverride> overrides() {
    return many(
        0,
        coin() ? 0 : 3,
        () ->
            new PolicyOverride(
                matchers(1),
                maybe(this::limit),
                maybe(this::backoff),
                maybe(this::jitter),
                maybe(this::duration)));
  }

  private List<FailureMatcher> matchers(int min) {
    return many(min, coin() ? 4 : 20, this::matcher);
  }

  private FailureMatcher matcher() {
    int status = random.nextInt(100, 1_000);
    return switch (random.nextInt(7)) {
      case 0 -> FailureMatcher.status(status);
      case 1 -> FailureMatcher.statuses(status, random.nextInt(status, 1_000));
      case 2 -> new FailureMatcher.StatusClass(random.nextInt(1, 10));
      case 3 -> FailureMatcher.code(one(NAMES));
      case 4 -> new FailureMatcher.ExceptionType(one(NAMES));
      case 5 -> FailureMatcher.kind(one(List.of(FailureKind.values())));
      default -> FailureMatcher.any();
    };
  }

  /** Returns a duration of any size, in any unit. */
  private Duration duration() {
    return switch (random.nextInt(7)) {
      case 0 -> Duration.ofMillis(random.nextInt(1, 100_000));
      case 1 -> Duration.ofSeconds(random.nextInt(1, 100_000));
      case 2 -> Duration.ofMinutes(random.nextInt(1, 100_000));
      case 3 -> Duration.ofHours(random.nextInt(1, 100_000));
      case 4 -> Duration.ofDays(random.nextInt(1, 36_501));
      case 5 -> Duration.ofMillis(random.nextLong(1, MAX_MILLIS + 1));
      default -> Duration.ofSeconds(1);
    };
  }

  private boolean coin() {
    return random.nextBoolean();
  }

  private <T> @Nullable T maybe(Supplier<T> value) {
    return coin() ? value.get() : null;
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private <T> List<T> many(int min, int max, Supplier<T> value) {
    List<T> values = new ArrayList<>();
    for (int left = random.nextInt(min, Math.max(min, max) + 1); left > 0; left--) {
      values.add(value.get());
    }
    return values;
  }
}
