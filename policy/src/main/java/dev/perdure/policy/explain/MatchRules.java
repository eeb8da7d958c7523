// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureMatcher;
import dev.perdure.policy.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Warnings about which failures are retried. */
final class MatchRules {

  private static final String NEVER_MATCHES = "never-matches";

  private static final Set<String> NOT_IDEMPOTENT = Set.of("POST", "PATCH");

  /** Exceptions before anything was sent. */
  private static final Set<String> NOT_SENT =
      Set.of(
          "java.net.ConnectException",
          "java.net.NoRouteToHostException",
          "java.net.UnknownHostException",
          "java.net.http.HttpConnectTimeoutException");

  private MatchRules() {}

  /** What is unwise in {@code retry_on}, entry by entry. */
  static List<Linter.Warning> retryOn(RetryPolicy policy, Linter.LintContext lintContext) {
    List<Linter.Warning> found = new ArrayList<>();
    boolean unsafeTold = !isUnsafeToRepeat(lintContext);
    for (int i = 0; i < policy.retryOn().size(); i++) {
      FailureMatcher entry = policy.retryOn().get(i);
      String path = "retry_on[" + i + "]";
      if (neverWins(entry, policy)) {
        found.add(
            new Linter.Warning(
                NEVER_MATCHES,
                path,
                "%s never has an effect: never_on names the same failures as specifically, and wins"
                    .formatted(entry.text()),
                "remove it, or take the failures out of never_on"));
      }
      if (!unsafeTold && retriesPossiblyAppliedWork(entry, policy)) {
        unsafeTold = true;
        found.add(postWithoutKey(path, entry, lintContext));
      }
    }
    return found;
  }

  private static boolean neverWins(FailureMatcher entry, RetryPolicy policy) {
    return SampleFailures.of(entry)
        .allMatch(
            sample -> entry.specificity(sample) <= FailureMatcher.best(policy.neverOn(), sample));
  }

  private static boolean isUnsafeToRepeat(Linter.LintContext lintContext) {
    return lintContext.method() != null
        && NOT_IDEMPOTENT.contains(lintContext.method().toUpperCase(Locale.ROOT))
        && !lintContext.idempotencyKey();
  }

  private static Linter.Warning postWithoutKey(
      String path, FailureMatcher entry, Linter.LintContext lintContext) {
    return new Linter.Warning(
        "post-without-idempotency-key",
        path,
        "a %s that failed with %s may have done its work all the same: the retry does it again"
            .formatted(lintContext.method(), entry.text()),
        "send an Idempotency-Key, the same on every attempt, or retry only what was refused before"
            + " any work: \"retry_on\": [\"429\"]");
  }

  private static boolean retriesPossiblyAppliedWork(FailureMatcher entry, RetryPolicy policy) {
    return SampleFailures.of(entry)
        .filter(MatchRules::mayHaveBeenApplied)
        .anyMatch(SampleFailures.retriedBy(policy));
  }

  /**
   * True unless the failure says that nothing was done: a 4xx refuses the request, a connection
   * that was never made sent none, and what the work itself calls a failure it has judged. A 503
   * counts, for proxies answer so when the service went away in the middle.
   */
  private static boolean mayHaveBeenApplied(Failure failure) {
    if (failure.hasStatus()) {
      return failure.status() / 100 != 4;
    }
    return switch (failure.kind()) {
      case EXPLICIT -> false;
      case EXCEPTION -> failure.exceptionTypes().stream().noneMatch(NOT_SENT::contains);
      case TIMEOUT, WEBHOOK_FAILURE, HTTP -> true;
    };
  }

  /** The warning of an override that no failure gets to, if that is so. */
  static Optional<Linter.Warning> unreachable(
      int index, ReachabilitySearch.Reachability reachability) {
    if (!reachability.complete()) {
      return Optional.empty();
    }
    return Optional.of(
        reachability.shadowed()
            ? new Linter.Warning(
                NEVER_MATCHES,
                "overrides[" + index + "]",
                "it never has an effect: earlier overrides match all of its failures first",
                "move it before them, or remove it")
            : new Linter.Warning(
                NEVER_MATCHES,
                "overrides[" + index + "]",
                "it never has an effect: its failures are not retried",
                "add them to retry_on, take them out of never_on, or remove the override"));
  }
}
