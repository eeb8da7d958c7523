// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a policy in Java.
 *
 * <p>Invalid combinations do not compile: only an exponential backoff has a multiplier, and only a
 * growing backoff accepts decorrelated jitter. Invalid values are reported by {@link #build}, all
 * at once.
 */
public abstract sealed class RetryPolicyBuilder<B extends RetryPolicyBuilder<B>> {

  private final FieldErrors errors = new FieldErrors();
  private final PolicyDraft draft = new PolicyDraft();
  private final List<PolicyOverride> overrides = new ArrayList<>();

  private RetryPolicyBuilder() {}

  abstract B self();

  abstract Backoff backoff();

  /** Sets the maximum number of retries after the first attempt. */
  public B maxRetries(int retries) {
    draft.maxRetries(errors.collect("", () -> RetryLimit.of(retries)));
    return self();
  }

  /** Removes the limit on retries. Consider setting an expiry. */
  public B unlimitedRetries() {
    draft.maxRetries(RetryLimit.noLimit());
    return self();
  }

  /** Sets the jitter; the default is a spread of 25 % to either side. */
  public B jitter(Jitter.Independent jitter) {
    draft.jitter(jitter);
    return self();
  }

  /** Sets the upper limit of computed delays. */
  public B maxDelay(Duration value) {
    draft.maxDelay(value);
    return self();
  }

  /** Stops retrying this long after the work first became due. */
  public B expiresAfter(Duration age) {
    setExpiry(errors.collect("", () -> Expiry.after(age)));
    return self();
  }

  /** Stops retrying at this instant. */
  public B expiresAt(Instant instant) {
    setExpiry(Expiry.at(instant));
    return self();
  }

  private void setExpiry(@Nullable Expiry expiry) {
    if (expiry != null) {
      draft.expiry(expiry);
    }
  }

  /** Sets the failures to retry; the default is all failures. */
  public B retryOn(FailureMatcher... failures) {
    draft.retryOn(List.of(failures));
    return self();
  }

  /** Sets the failures not to retry, unless {@link #retryOn} matches them more specifically. */
  public B neverOn(FailureMatcher... failures) {
    draft.neverOn(List.of(failures));
    return self();
  }

  /** Sets the longest delay that a server can ask for with Retry-After; the default is 24 hours. */
  public B retryAfterCap(Duration cap) {
    RetryAfter honored = errors.collect("retry_after", () -> RetryAfter.honored(cap));
    if (honored != null) {
      draft.retryAfter(honored);
    }
    return self();
  }

  /** Ignores Retry-After and always uses the computed delay. */
  public B ignoreRetryAfter() {
    draft.retryAfter(RetryAfter.ignored());
    return self();
  }

  /** Adds fields that change for some failures; the first override that matches applies. */
  public B override(PolicyOverride override) {
    overrides.add(override);
    return self();
  }

  /**
   * Builds the policy.
   *
   * @throws InvalidPolicyException with all validation errors
   */
  public RetryPolicy build() {
    FieldErrors all = new FieldErrors();
    errors.list().forEach(all::add);
    draft.backoff(all.collect("backoff", this::backoff));
    draft.overrides(overrides);
    return draft.build(all);
  }

  /** Builds a policy whose backoff has no further settings. */
  public static final class Plain extends RetryPolicyBuilder<Plain> {
    private final Supplier<? extends Backoff> backoff;

    Plain(Supplier<? extends Backoff> backoff) {
      this.backoff = backoff;
    }

    @Override
    Plain self() {
      return this;
    }

    @Override
    Backoff backoff() {
      return backoff.get();
    }
  }

  /** Builds a policy whose delays grow, which makes decorrelated jitter possible. */
  public abstract static sealed class Growing<B extends Growing<B>> extends RetryPolicyBuilder<B> {
    final Duration initial;

    private Growing(Duration initial) {
      this.initial = initial;
    }

    /** Draws each delay between the initial delay and three times the previous delay. */
    public B jitter(Jitter.Decorrelated jitter) {
      super.draft.jitter(jitter);
      return self();
    }
  }

  /** Builds a policy with a linear backoff. */
  public static final class Linear extends Growing<Linear> {
    private Duration increment;

    Linear(Duration initial) {
      super(initial);
      this.increment = initial;
    }

    /** Sets how much longer each delay is than the previous one. */
    public Linear increment(Duration value) {
      increment = value;
      return this;
    }

    @Override
    Linear self() {
      return this;
    }

    @Override
    Backoff backoff() {
      return new Backoff.Linear(initial, increment);
    }
  }

  /** Builds a policy with an exponential backoff. */
  public static final class Exponential extends Growing<Exponential> {
    private double multiplier = Backoff.Exponential.DEFAULT_MULTIPLIER;

    Exponential(Duration initial) {
      super(initial);
    }

    /** Sets how many times longer each delay is than the previous one. */
    public Exponential multiplier(double value) {
      multiplier = value;
      return this;
    }

    @Override
    Exponential self() {
      return this;
    }

    @Override
    Backoff backoff() {
      return new Backoff.Exponential(initial, multiplier);
    }
  }
}
