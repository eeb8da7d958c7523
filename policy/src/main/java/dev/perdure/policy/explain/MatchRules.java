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

/** Rules about which failures are retried. */
final class MatchRules {

  private static final String NEVER_MATCHES = "never-matches";

  private static final Set<String> NOT_IDEMPOTENT = Set.of("POST", "PATCH");

  /** Exceptions that occur before a request is sent. */
  private static final Set<String> NOT_SENT =
      Set.of(
          "java.net.ConnectException",
          "java.net.NoRouteToHostException",
          "java.net.UnknownHostException",
          "java.net.http.HttpConnectTimeoutException");

  private MatchRules() {}

  /** Checks the entries of {@code retry_on}. */
  static List<Linter.Warning> retryOn(RetryPolicy policy, Linter.LintContext context) {
    List<Linter.Warning> found = new ArrayList<>();
    boolean unsafeReported = !isUnsafeToRepeat(context);
    for (int i = 0; i < policy.retryOn().size(); i++) {
      FailureMatcher entry = policy.retryOn().get(i);
      String path = "retry_on[" + i + "]";
      if (neverWins(entry, policy)) {
        found.add(
            new Linter.Warning(
                NEVER_MATCHES,
                path,
                "%s has no effect: never_on matches the same failures at least as specifically, and wins"
                    .formatted(entry.text()),
                "remove it, or remove the failures from never_on"));
      }
      if (!unsafeReported && retriesPossiblyAppliedWork(entry, policy)) {
        unsafeReported = true;
        found.add(postWithoutKey(path, entry, context));
      }
    }
    return found;
  }

  private static boolean neverWins(FailureMatcher entry, RetryPolicy policy) {
    return SampleFailures.of(entry)
        .allMatch(
            sample -> entry.specificity(sample) <= FailureMatcher.best(policy.neverOn(), sample));
  }

  private static boolean isUnsafeToRepeat(Linter.LintContext context) {
    return context.method() != null
        && NOT_IDEMPOTENT.contains(context.method().toUpperCase(Locale.ROOT))
        && !context.idempotencyKey();
  }

  private static Linter.Warning postWithoutKey(
      String path, FailureMatcher entry, Linter.LintContext context) {
    return new Linter.Warning(
        "post-without-idempotency-key",
        path,
        "a %s that failed with %s may have done its work anyway: the retry does it again"
            .formatted(context.method(), entry.text()),
        "send the same Idempotency-Key on every attempt, or retry only requests that were rejected"
            + " before any work: \"retry_on\": [\"429\"]");
  }

  private static boolean retriesPossiblyAppliedWork(FailureMatcher entry, RetryPolicy policy) {
    return SampleFailures.of(entry)
        .filter(MatchRules::mayHaveBeenApplied)
        .anyMatch(SampleFailures.retriedBy(policy));
  }

  /**
   * Returns false if the failure proves that the work was not done: a 4xx rejects the request, a
   * connection that was never made sent nothing, and an explicit failure comes from the work
   * itself. A 503 proves nothing, because proxies also return it when the service disappears in the
   * middle of a request.
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

  /** Returns a warning if no failure can reach the override. */
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
                "the override has no effect: earlier overrides match all of its failures first",
                "move it before them, or remove it")
            : new Linter.Warning(
                NEVER_MATCHES,
                "overrides[" + index + "]",
                "the override has no effect: its failures are not retried",
                "add them to retry_on, remove them from never_on, or remove the override"));
  }
}
