// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Properties of matching, for any failure and any list of matchers. */
class MatchingPropertiesTest {

  private static final int CASES = 20_000;
  private static final DecisionContext FIRST = DecisionContext.attempt(0);

  /** The rank of a match as the specification defines it; higher is more specific. */
  private static double rank(FailureMatcher matcher, Failure failure) {
    return switch (matcher) {
      case FailureMatcher.Any any -> 1;
      case FailureMatcher.Kind kind -> kind.kind() == failure.kind() ? 2 : 0;
      case FailureMatcher.StatusClass hundred ->
          failure.hasStatus() && failure.status() / 100 == hundred.hundreds() ? 3 : 0;
      case FailureMatcher.StatusRange range ->
          failure.status() >= range.first() && failure.status() <= range.last() ? 4 : 0;
      case FailureMatcher.Status status -> status.status() == failure.status() ? 6 : 0;
      case FailureMatcher.Code code -> code.code().equals(failure.code()) ? 6 : 0;
      case FailureMatcher.ExceptionType type -> {
        int distance = failure.exceptionTypes().indexOf(type.name());
        yield distance < 0 ? 0 : 6 - distance / 1_000.0;
      }
    };
  }

  private static double best(List<FailureMatcher> matchers, Failure failure) {
    return matchers.stream().mapToDouble(matcher -> rank(matcher, failure)).max().orElse(0);
  }

  private static RetryPolicy policy(List<FailureMatcher> retryOn, List<FailureMatcher> neverOn) {
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(Backoff.immediate());
    draft.retryOn(retryOn);
    draft.neverOn(neverOn);
    return draft.build(new FieldErrors());
  }

  @Test
  void any_two_matchers_rank_as_specified() {
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          Failure failure = generator.failure();
          FailureMatcher one = generator.matchers(1).getFirst();
          FailureMatcher other = generator.matchers(1).getFirst();

          assertThat(Integer.compare(one.specificity(failure), other.specificity(failure)))
              .as("%s and %s for %s", one.text(), other.text(), failure)
              .isEqualTo(Double.compare(rank(one, failure), rank(other, failure)));
          assertThat(one.matches(failure)).isEqualTo(rank(one, failure) > 0);
        });
  }

  @Test
  void a_failure_is_retried_if_retry_on_matches_more_specifically_than_never_on() {
    AtomicInteger retried = new AtomicInteger();
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          Failure failure = generator.failure();
          List<FailureMatcher> retryOn = generator.matchers(6);
          List<FailureMatcher> neverOn = generator.matchers(6);
          boolean retry = best(retryOn, failure) > best(neverOn, failure);

          if (retry) {
            retried.incrementAndGet();
          }
          assertThat(
                  policy(retryOn, neverOn).preview(FIRST, failure)
                      instanceof DecisionPreview.DelayBounds)
              .isEqualTo(retry);
        });
    assertThat(retried).as("retried cases").hasValueBetween(CASES / 5, CASES * 4 / 5);
  }

  @Test
  void the_order_of_the_lists_does_not_matter() {
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          Failure failure = generator.failure();
          List<FailureMatcher> retryOn = new ArrayList<>(generator.matchers(10));
          List<FailureMatcher> neverOn = new ArrayList<>(generator.matchers(10));
          DecisionPreview before = policy(retryOn, neverOn).preview(FIRST, failure);

          Collections.shuffle(retryOn, Random.from(random));
          Collections.shuffle(neverOn, Random.from(random));

          assertThat(policy(retryOn, neverOn).preview(FIRST, failure)).isEqualTo(before);
        });
  }

  @Test
  void the_first_matching_override_applies() {
    AtomicInteger changed = new AtomicInteger();
    SeededChecks.each(
        CASES,
        random -> {
          RandomPolicies generator = new RandomPolicies(random);
          Failure failure = generator.failure();
          List<PolicyOverride> overrides = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            overrides.add(
                new PolicyOverride(generator.matchers(2), RetryLimit.of(i), null, null, null));
          }

          long before = retries(overrides, failure);
          Collections.reverse(overrides);
          long after = retries(overrides, failure);

          if (before != after) {
            changed.incrementAndGet();
          }
          assertThat(after).isEqualTo(expectedRetries(overrides, failure));
        });
    assertThat(changed).as("cases where the order matters").hasValueGreaterThan(CASES / 5);
  }

  private static long expectedRetries(List<PolicyOverride> overrides, Failure failure) {
    return overrides.stream()
        .filter(override -> best(override.on(), failure) > 0)
        .findFirst()
        .map(override -> requireNonNull(override.maxRetries()).retries())
        .orElse(9);
  }

  private static long retries(List<PolicyOverride> overrides, Failure failure) {
    PolicyDraft draft = new PolicyDraft();
    draft.backoff(Backoff.immediate());
    draft.maxRetries(RetryLimit.of(9));
    draft.overrides(overrides);
    RetryPolicy policy = draft.build(new FieldErrors());
    long n = 0;
    while (n < 20
        && policy.preview(DecisionContext.attempt(n), failure)
            instanceof DecisionPreview.DelayBounds) {
      n++;
    }
    return n;
  }
}
