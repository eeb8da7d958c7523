// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a policy in Java. What cannot go together does not compile: only an exponential backoff
 * has a multiplier, only a growing one can be decorrelated. What is wrong with the numbers is told
 * by {@link #build}, all at once.
 */
public abstract sealed class RetryPolicyBuilder<B extends RetryPolicyBuilder<B>> {

  private final FieldErrors errors = new FieldErrors();
  private final PolicyDraft draft = new PolicyDraft();
  private final List<PolicyOverride> overrides = new ArrayList<>();

  private RetryPolicyBuilder() {}

  abstract B self();

  abstract Backoff backoff();

  /** At most so many retries after the first attempt. */
  public B maxRetries(int retries) {
    draft.maxRetries(errors.collect("", () -> RetryLimit.of(retries)));
    return self();
  }

  /** As many retries as it takes. Think of an expiry. */
  public B unlimitedRetries() {
    draft.maxRetries(RetryLimit.noLimit());
    return self();
  }

  /** How to spread the delays; a quarter to either side unless something else is said. */
  public B jitter(Jitter.Independent jitter) {
    draft.jitter(jitter);
    return self();
  }

  /** No computed delay is longer than this. */
  public B maxDelay(Duration longest) {
    draft.maxDelay(longest);
    return self();
  }

  /** No retry starts later than this after the work first became due. */
  public B expiresAfter(Duration age) {
    setExpiry(errors.collect("", () -> Expiry.after(age)));
    return self();
  }

  /** No retry starts later than this instant. */
  public B expiresAt(Instant instant) {
    setExpiry(Expiry.at(instant));
    return self();
  }

  private void setExpiry(@Nullable Expiry expiry) {
    if (expiry != null) {
      draft.expiry(expiry);
    }
  }

  /** Which failures to retry; all of them unless something is said. */
  public B retryOn(FailureMatcher... failures) {
    draft.retryOn(List.of(failures));
    return self();
  }

  /** Which failures not to retry, unless {@link #retryOn} names them more specifically. */
  public B neverOn(FailureMatcher... failures) {
    draft.neverOn(List.of(failures));
    return self();
  }

  /** The longest wait that a server can ask for; 24 hours unless something else is said. */
  public B retryAfterCap(Duration longest) {
    RetryAfter honored = errors.collect("retry_after", () -> RetryAfter.honored(longest));
    if (honored != null) {
      draft.retryAfter(honored);
    }
    return self();
  }

  /** Whatever a server asks for, wait as computed. */
  public B ignoreRetryAfter() {
    draft.retryAfter(RetryAfter.ignored());
    return self();
  }

  /** What some failures change; the first override that matches counts. */
  public B override(PolicyOverride override) {
    overrides.add(override);
    return self();
  }

  /**
   * The policy.
   *
   * @throws InvalidPolicyException with everything that is wrong
   */
  public RetryPolicy build() {
    FieldErrors all = new FieldErrors();
    errors.list().forEach(fieldError -> all.add(fieldError.path(), fieldError.message()));
    draft.backoff(all.collect("backoff", this::backoff));
    draft.overrides(overrides);
    return draft.build(all);
  }

  /** A policy whose backoff has no further knobs. */
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

  /** A policy whose delays grow: its jitter may be decorrelated. */
  public abstract static sealed class Growing<B extends Growing<B>> extends RetryPolicyBuilder<B> {
    final Duration initial;

    private Growing(Duration initial) {
      this.initial = initial;
    }

    /** Draw from the initial delay to three times the delay before. */
    public B jitter(Jitter.Decorrelated jitter) {
      super.draft.jitter(jitter);
      return self();
    }
  }

  /** A policy with a linear backoff. */
  public static final class Linear extends Growing<Linear> {
    private Duration increment;

    Linear(Duration initial) {
      super(initial);
      this.increment = initial;
    }

    /** How much longer each delay is than the one before. */
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

  /** A policy with an exponential backoff. */
  public static final class Exponential extends Growing<Exponential> {
    private double multiplier = Backoff.Exponential.DEFAULT_MULTIPLIER;

    Exponential(Duration initial) {
      super(initial);
    }

    /** How many times longer each delay is than the one before. */
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
