// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.DecisionPreview;
import dev.perdure.policy.DecisionPreview.DelayBounds;
import dev.perdure.policy.EffectivePolicy;
import dev.perdure.policy.Expiry;
import dev.perdure.policy.Failure;
import dev.perdure.policy.GiveUpReason;
import dev.perdure.policy.LadderPosition;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the next attempts of work that exists come, if the same failure repeats and the attempts
 * take no time.
 *
 * <p>A {@link Timeline} describes a policy and counts delays without jitter. A forecast counts the
 * delays as they can be drawn, so every attempt lies between its earliest and its latest instant,
 * also when the policy expires: then a history of short delays has more attempts than one of long
 * delays, and the forecast has those of the longest history. All bounds come from {@link
 * RetryPolicy#preview}. They hold because the instant of the next attempt never decreases when the
 * failure comes later: the expiry cuts both at the same instant.
 *
 * @param retries the attempts that follow, at most as many as were asked for
 * @param end when the policy gives up after the last of them; null if there are more
 */
public record RetryForecast(List<Retry> retries, @Nullable End end) {

  /**
   * An attempt that follows.
   *
   * @param attempt its number as the policy counts it: 1 is the first retry
   * @param ladderPosition its place, if the delays after this failure come from a ladder
   */
  public record Retry(long attempt, Span at, @Nullable LadderPosition ladderPosition) {}

  /**
   * The policy gives up.
   *
   * @param afterAttempt the last attempt of the longest history
   */
  public record End(GiveUpReason reason, long afterAttempt, Instant earliest, Instant latest) {}

  /** An instant that depends on the jitter. */
  public record Span(Instant earliest, Instant expected, Instant latest) {

    public static Span at(Instant instant) {
      return new Span(instant, instant, instant);
    }
  }

  /**
   * Where the work stands.
   *
   * @param attempt the attempt that fails next, as the policy counts it, from 0
   * @param failsAt when it fails
   * @param since when the work first became due
   * @param previousDelay the delay before this attempt
   */
  public record Position(
      long attempt, Instant failsAt, Instant since, @Nullable Duration previousDelay) {}

  public RetryForecast {
    retries = List.copyOf(retries);
  }

  /** Returns the attempts that follow, at most {@code maxRetries}. */
  public static RetryForecast of(
      RetryPolicy policy, Failure failure, Position position, int maxRetries) {
    return new Builder(policy, failure, position).build(maxRetries);
  }

  private static final class Builder {

    private final RetryPolicy policy;
    private final Failure failure;
    private final Instant since;
    private long attempt;

    /** When the attempt fails. */
    private Span fails;

    private @Nullable Duration shortest;
    private @Nullable Duration mean;
    private @Nullable Duration longest;

    /** The earliest instant at which some history has expired; null if none can have. */
    private @Nullable Instant expiredFrom;

    Builder(RetryPolicy policy, Failure failure, Position position) {
      this.policy = policy;
      this.failure = failure;
      this.since = position.since();
      this.attempt = position.attempt();
      this.fails = Span.at(position.failsAt());
      this.shortest = position.previousDelay();
      this.mean = position.previousDelay();
      this.longest = position.previousDelay();
    }

    RetryForecast build(int maxRetries) {
      List<Retry> retries = new ArrayList<>();
      while (retries.size() <= maxRetries) {
        switch (preview(fails.earliest(), shortest)) {
          case Decision.GiveUp giveUp -> {
            return new RetryForecast(retries, end(giveUp.reason()));
          }
          case DelayBounds bounds -> {
            if (retries.size() == maxRetries) {
              return new RetryForecast(retries, null);
            }
            retries.add(next(bounds));
          }
        }
      }
      throw new IllegalStateException("unreachable");
    }

    private End end(GiveUpReason reason) {
      Instant earliest = expiredFrom == null ? fails.earliest() : expiredFrom;
      return new End(reason, attempt, min(earliest, fails.earliest()), fails.latest());
    }

    private Retry next(DelayBounds early) {
      Instant lastChance = min(fails.latest(), lastChance(early.base()));
      if (lastChance.isBefore(fails.latest()) && expiredFrom == null) {
        expiredFrom = max(fails.earliest(), lastChance);
      }
      DelayBounds late = bounds(lastChance, longest, early);
      Instant usual = min(fails.expected(), lastChance);
      DelayBounds middle = bounds(usual, mean, early);
      Duration expected = middle.earliest().plus(middle.latest()).dividedBy(2);
      expected = Duration.ofMillis(expected.toMillis());
      Instant from = fails.earliest().plus(early.earliest());
      Instant to = lastChance.plus(late.latest());
      Instant at = max(from, min(usual.plus(expected), to));
      // The longest delay need not come at the latest instant, where the expiry can cut it.
      longest = bounds(fails.earliest(), longest, early).latest();
      shortest = bounds(lastChance, shortest, early).earliest();
      mean = expected;
      fails = new Span(from, at, to);
      attempt++;
      return new Retry(attempt, fails, ladderPosition());
    }

    private @Nullable LadderPosition ladderPosition() {
      return EffectivePolicy.of(policy, failure).backoff() instanceof Backoff.Ladder
          ? LadderPosition.of(policy, failure, attempt)
          : null;
    }

    /** The latest instant at which a failure is still retried. */
    private Instant lastChance(Duration base) {
      return switch (policy.expiry()) {
        case Expiry.Never never -> Instant.MAX;
        case Expiry.After after -> since.plus(after.age()).minus(base);
        case Expiry.At at -> at.instant().minus(base);
      };
    }

    private DelayBounds bounds(Instant at, @Nullable Duration previous, DelayBounds otherwise) {
      return preview(at, previous) instanceof DelayBounds found ? found : otherwise;
    }

    private DecisionPreview preview(Instant at, @Nullable Duration previous) {
      Duration age = Duration.between(since, at);
      return policy.preview(
          new DecisionContext(attempt, age.isNegative() ? Duration.ZERO : age, at, previous),
          failure);
    }

    private static Instant min(Instant one, Instant other) {
      return one.isBefore(other) ? one : other;
    }

    private static Instant max(Instant one, Instant other) {
      return one.isAfter(other) ? one : other;
    }
  }
}
