// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.explain;

import dev.perdure.policy.Backoff;
import dev.perdure.policy.DurationText;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.explain.BranchRule.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Warnings about what many clients with one policy do to a service. */
final class LoadRules {

  private static final int DELAYS_TOLD = 3;
  private static final String SPREAD = "\"jitter\": {\"type\": \"spread\", \"factor\": 0.25}";

  private LoadRules() {}

  static Optional<Finding> amplification(Branch branch, Linter.Use use) {
    double attempts =
        branch.endless() ? Double.POSITIVE_INFINITY : 1.0 + branch.timeline().retries();
    double load = Math.pow(attempts, use.layers());
    if (load <= use.amplificationBound()) {
      return Optional.empty();
    }
    String each =
        branch.endless()
            ? "any number of attempts"
            : "%s attempts: 1 + %s retries".formatted(NumberText.of(load), retries(branch));
    String layers = use.layers() == 1 ? "" : ", in each of %d layers".formatted(use.layers());
    return Optional.of(
        new Finding(
            branch.path("max_retries"),
            "while the service is down one request becomes %s%s; the bound is %s"
                .formatted(each, layers, NumberText.of(use.amplificationBound())),
            "retry in one layer only, or write \"max_retries\": %d, and give the clients a retry"
                    .formatted(mostRetries(use))
                + " budget"));
  }

  private static int mostRetries(Linter.Use use) {
    // The root of 1,000 comes out as 9.999…: a hair is added before the fraction is dropped.
    double attempts = Math.pow(use.amplificationBound(), 1.0 / use.layers()) + 1e-9;
    return (int) attempts - 1;
  }

  static Optional<Finding> immediateRetries(Branch branch, Linter.Use use) {
    long retries = branch.timeline().retries();
    if (!(branch.ruling().backoff() instanceof Backoff.Immediate)
        || retries < 2
        || use.clients() == 1) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            branch.path("backoff"),
            "%s clients that fail together send %s retries each at once, before anything can have recovered"
                .formatted(NumberText.of(use.clients()), retries(branch)),
            "keep one immediate retry at most, or wait: \"backoff\": {\"type\": \"exponential\", \"initial\": \"100ms\"}"));
  }

  private static String retries(Branch branch) {
    String counted = NumberText.of(branch.timeline().retries());
    return branch.timeline().end() == null ? "at least " + counted : counted;
  }

  static Optional<Finding> noJitter(Branch branch, Linter.Use use) {
    List<Timeline.Retry> retries = branch.retries();
    boolean waits = !(branch.ruling().backoff() instanceof Backoff.Immediate);
    if (use.clients() == 1 || !waits || retries.isEmpty() || spreads(branch.ruling().jitter())) {
      return Optional.empty();
    }
    String delays =
        retries.stream()
            .limit(DELAYS_TOLD)
            .map(retry -> DurationText.format(retry.base()))
            .collect(Collectors.joining(", ", "", retries.size() > DELAYS_TOLD ? ", …" : ""));
    return Optional.of(
        new Finding(
            branch.path("jitter"),
            "%s clients that fail together come back together, each time: after %s"
                .formatted(NumberText.of(use.clients()), delays),
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

  static Optional<Finding> jitterLostAtCap(Branch branch, Linter.Use use) {
    Duration cap = branch.ruling().maxDelay();
    if (cap == null || use.clients() == 1 || !spreads(branch.ruling().jitter())) {
      return Optional.empty();
    }
    return branch.retries().stream()
        .filter(retry -> retry.delay().earliest().equals(cap))
        .findFirst()
        .map(
            retry ->
                new Finding(
                    branch.path("jitter"),
                    "from retry %s on nothing is left to draw from below max_delay: %s clients come back together after exactly %s"
                        .formatted(
                            NumberText.of(retry.attempt() + 1),
                            NumberText.of(use.clients()),
                            DurationText.format(cap)),
                    "write %s, which also draws below max_delay, or a longer max_delay"
                        .formatted(SPREAD)));
  }
}
