// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.io.FileNotFoundException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Generates random policies, contexts and failures. Boundary values occur more often than by
 * chance.
 */
final class RandomPolicies {

  private static final long MAX_DELAY = Duration.ofDays(36_500).toMillis();

  private static final List<String> MATCHERS =
      List.of(
          "*",
          "timeout",
          "webhook_failure",
          "explicit",
          "exception",
          "http",
          "4xx",
          "5xx",
          "400-499",
          "408-429",
          "500-503",
          "408",
          "429",
          "503",
          "code:no_slots",
          "code:busy",
          "exception:java.io.FileNotFoundException",
          "exception:java.io.IOException",
          "exception:java.lang.Exception",
          "exception:java.io.Serializable",
          "exception:java.lang.IllegalStateException");

  private final RandomGenerator random;

  RandomPolicies(RandomGenerator random) {
    this.random = random;
  }

  /** Returns a policy with any backoff and any jitter that is valid with it. */
  RetryPolicy policy() {
    Backoff backoff = backoff();
    return policy(backoff, jitter(backoff));
  }

  RetryPolicy policy(Backoff backoff, Jitter jitter) {
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(backoff);
    draft.jitter(jitter);
    draft.maxRetries(oneOf(RetryLimit.noLimit(), RetryLimit.of(random.nextInt(1_000_000))));
    if (random.nextBoolean()) {
      draft.maxDelay(maxDelay(backoff));
    }
    draft.expiry(expiry());
    return draft.build(new FieldErrors());
  }

  Backoff backoff() {
    return switch (random.nextInt(6)) {
      case 0 -> Backoff.immediate();
      case 1 -> Backoff.fixed(delay());
      case 2 -> schedule();
      case 3 -> ladder();
      default -> growing();
    };
  }

  Backoff growing() {
    return random.nextBoolean()
        ? Backoff.linear(delay(), delay())
        : Backoff.exponential(delay(), multiplier());
  }

  private double multiplier() {
    return oneOf(1.0, 1.000001, 1.5, 2.0, 3.0, 10.0, Double.MAX_VALUE, random.nextDouble(1, 5));
  }

  private Backoff schedule() {
    Duration[] delays = new Duration[random.nextInt(1, 51)];
    Arrays.setAll(delays, i -> delay());
    return Backoff.schedule(delays);
  }

  private Backoff ladder() {
    List<Backoff.Step> steps = new ArrayList<>();
    for (int i = random.nextInt(1, 51); i > 1; i--) {
      steps.add(Backoff.step(oneOf(1, 2, random.nextInt(1, 100), Integer.MAX_VALUE), delay()));
    }
    steps.add(
        random.nextBoolean() ? Backoff.forever(delay()) : Backoff.step(Integer.MAX_VALUE, delay()));
    return new Backoff.Ladder(steps);
  }

  /** Returns any jitter that is valid with the backoff. */
  Jitter jitter(Backoff backoff) {
    if (backoff instanceof Backoff.Growing && random.nextInt(4) == 0) {
      return Jitter.decorrelated();
    }
    return switch (random.nextInt(5)) {
      case 0 -> Jitter.none();
      case 1 -> Jitter.full();
      case 2 -> Jitter.equal();
      case 3 -> Jitter.spread(factor());
      default -> Jitter.add(factor());
    };
  }

  private double factor() {
    return oneOf(0.0, 0.25, 0.5, 1.0, random.nextDouble());
  }

  /** Returns a delay between a millisecond and 100 years, uniform over orders of magnitude. */
  Duration delay() {
    long scale = 1L << random.nextInt(1, 42);
    return Duration.ofMillis(
        oneOf(1L, MAX_DELAY, Math.min(MAX_DELAY, random.nextLong(scale, 2 * scale))));
  }

  private Duration maxDelay(Backoff backoff) {
    Duration min =
        switch (backoff) {
          case Backoff.Growing growing -> growing.initial();
          case Backoff.Fixed fixed -> fixed.delay();
          default -> Duration.ofMillis(1);
        };
    Duration other = delay();
    return other.compareTo(min) < 0 ? min : other;
  }

  Expiry expiry() {
    return switch (random.nextInt(3)) {
      case 0 -> Expiry.never();
      case 1 -> Expiry.after(delay());
      default -> Expiry.at(instant());
    };
  }

  private Instant instant() {
    return oneOf(Instant.MIN, Instant.MAX, Instant.EPOCH, Instant.EPOCH.plus(anyDuration()));
  }

  /**
   * Returns a context with an attempt of any size, and with ages and instants finer than a
   * millisecond.
   */
  DecisionContext context() {
    long attempt =
        oneOf(
            random.nextLong(0, 70),
            1L << 31,
            (1L << 31) - 1,
            Long.MAX_VALUE,
            random.nextLong(Long.MAX_VALUE));
    Duration previous = anyDuration().truncatedTo(ChronoUnit.MILLIS);
    return new DecisionContext(
        attempt, anyDuration(), instant(), random.nextBoolean() ? null : previous);
  }

  /**
   * Returns any duration, including those that a policy must not contain: negative, finer than a
   * millisecond, or very long.
   */
  private Duration anyDuration() {
    return oneOf(
        Duration.ZERO,
        Duration.ofNanos(random.nextLong(2_000_000)),
        delay(),
        delay().plusNanos(random.nextLong(1_000_000)),
        delay().negated(),
        Duration.ofDays(1_000_000));
  }

  List<FailureMatcher> matchers(int max) {
    List<FailureMatcher> matchers = new ArrayList<>();
    for (int i = random.nextInt(1, max + 1); i > 0; i--) {
      matchers.add(FailureMatcher.parse(MATCHERS.get(random.nextInt(MATCHERS.size()))));
    }
    return matchers;
  }

  /** Returns a failure of any kind with any combination of properties. */
  Failure failure() {
    Failure failure = Failure.of(oneOf(FailureKind.values()));
    failure = maybe(failure, f -> f.withStatus(oneOf(400, 404, 408, 429, 500, 502, 503, 599)));
    failure = maybe(failure, f -> f.withCode(oneOf("no_slots", "busy", "other")));
    return maybe(
        failure,
        f ->
            f.withExceptionTypes(
                ExceptionTypes.of(
                    oneOf(FileNotFoundException.class, IllegalStateException.class))));
  }

  private Failure maybe(Failure failure, Function<Failure, Failure> change) {
    return random.nextBoolean() ? change.apply(failure) : failure;
  }

  @SafeVarargs
  final <T> T oneOf(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
