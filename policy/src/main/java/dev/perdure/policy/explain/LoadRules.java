// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.explain.LintRule.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Warnings about what many clients with one policy do to a service. */
final class LoadRules {

  private static final int DELAYS_SHOWN = 3;
  private static final String SPREAD = "\"jitter\": {\"type\": \"spread\", \"factor\": 0.25}";

  private LoadRules() {}

  static Optional<Finding> amplification(
      PolicyVariant policyVariant, Linter.LintContext lintContext) {
    double attempts =
        policyVariant.endless()
            ? Double.POSITIVE_INFINITY
            : 1.0 + policyVariant.timeline().retries();
    double load = Math.pow(attempts, lintContext.layers());
    if (load <= lintContext.amplificationBound()) {
      return Optional.empty();
    }
    String each =
        policyVariant.endless()
            ? "any number of attempts"
            : "%s attempts: 1 + %s retries".formatted(NumberText.of(load), retries(policyVariant));
    String layers =
        lintContext.layers() == 1 ? "" : ", in each of %d layers".formatted(lintContext.layers());
    return Optional.of(
        new Finding(
            policyVariant.path("max_retries"),
            "while the service is down one request becomes %s%s; the bound is %s"
                .formatted(each, layers, NumberText.of(lintContext.amplificationBound())),
            "retry in one layer only, or write \"max_retries\": %d, and give the clients a retry"
                    .formatted(maxRetries(lintContext))
                + " budget"));
  }

  private static int maxRetries(Linter.LintContext lintContext) {
    // The root of 1,000 comes out as 9.999…: a hair is added before the fraction is dropped.
    double attempts = Math.pow(lintContext.amplificationBound(), 1.0 / lintContext.layers()) + 1e-9;
    return (int) attempts - 1;
  }

  static Optional<Finding> immediateRetries(
      PolicyVariant policyVariant, Linter.LintContext lintContext) {
    long retries = policyVariant.timeline().retries();
    if (!(policyVariant.effectivePolicy().backoff() instanceof Backoff.Immediate)
        || retries < 2
        || lintContext.clients() == 1) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            policyVariant.path("backoff"),
            "%s clients that fail together send %s retries each at once, before anything can have recovered"
                .formatted(NumberText.of(lintContext.clients()), retries(policyVariant)),
            "keep one immediate retry at most, or wait: \"backoff\": {\"type\": \"exponential\", \"initial\": \"100ms\"}"));
  }

  private static String retries(PolicyVariant policyVariant) {
    String counted = NumberText.of(policyVariant.timeline().retries());
    return policyVariant.timeline().end() == null ? "at least " + counted : counted;
  }

  static Optional<Finding> noJitter(PolicyVariant policyVariant, Linter.LintContext lintContext) {
    List<Timeline.Retry> retries = policyVariant.retries();
    boolean waits = !(policyVariant.effectivePolicy().backoff() instanceof Backoff.Immediate);
    if (lintContext.clients() == 1
        || !waits
        || retries.isEmpty()
        || spreads(policyVariant.effectivePolicy().jitter())) {
      return Optional.empty();
    }
    String delays =
        retries.stream()
            .limit(DELAYS_SHOWN)
            .map(retry -> DurationText.format(retry.base()))
            .collect(Collectors.joining(", ", "", retries.size() > DELAYS_SHOWN ? ", …" : ""));
    return Optional.of(
        new Finding(
            policyVariant.path("jitter"),
            "%s clients that fail together come back together, each time: after %s"
                .formatted(NumberText.of(lintContext.clients()), delays),
            "write " + SPREAD));
  }

  private static boolean spreads(Jitter jitter) {
    return switch (jitter) {
      case Jitter.None none -> false;
      case Jitter.Spread spread -> spread.factor() > 0;
      case Jitter.Add add -> add.factor() > 0;
      case Jitter.Full full -> true;
      case Jitter.Equal equal -> true;
      case Jitter.Decorrelated decorrelated -> true;
    };
  }

  static Optional<Finding> jitterLostAtCap(
      PolicyVariant policyVariant, Linter.LintContext lintContext) {
    Duration cap = policyVariant.effectivePolicy().maxDelay();
    if (cap == null
        || lintContext.clients() == 1
        || !spreads(policyVariant.effectivePolicy().jitter())) {
      return Optional.empty();
    }
    return policyVariant.retries().stream()
        .filter(retry -> retry.delay().earliest().equals(cap))
        .findFirst()
        .map(
            retry ->
                new Finding(
                    policyVariant.path("jitter"),
                    "from retry %s on nothing is left to draw from below max_delay: %s clients come back together after exactly %s"
                        .formatted(
                            NumberText.of(retry.attempt() + 1),
                            NumberText.of(lintContext.clients()),
                            DurationText.format(cap)),
                    "write %s, which also draws below max_delay, or a longer max_delay"
                        .formatted(SPREAD)));
  }
}
