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

/** Rules about the load that many clients with the same policy put on a service. */
final class LoadRules {

  private static final int DELAYS_SHOWN = 3;
  private static final String SPREAD = "\"jitter\": {\"type\": \"spread\", \"factor\": 0.25}";

  private LoadRules() {}

  static Optional<Finding> amplification(PolicyVariant variant, Linter.LintContext context) {
    double attempts =
        variant.endless() ? Double.POSITIVE_INFINITY : 1.0 + variant.timeline().retries();
    double load = Math.pow(attempts, context.layers());
    if (load <= context.amplificationBound()) {
      return Optional.empty();
    }
    String each =
        variant.endless()
            ? "an unlimited number of attempts"
            : "%s attempts: 1 + %s retries".formatted(NumberText.of(load), retries(variant));
    String layers =
        context.layers() == 1
            ? ""
            : ", with retries in each of %d layers".formatted(context.layers());
    return Optional.of(
        new Finding(
            variant.path("max_retries"),
            "while the service is down, one request becomes %s%s; the limit is %s"
                .formatted(each, layers, NumberText.of(context.amplificationBound())),
            "retry in one layer only, or set \"max_retries\": %d, and give the clients a retry"
                    .formatted(maxRetries(context))
                + " budget"));
  }

  private static int maxRetries(Linter.LintContext context) {
    // The cube root of 1,000 comes out as 9.999…, so round up a little before truncating.
    double attempts = Math.pow(context.amplificationBound(), 1.0 / context.layers()) + 1e-9;
    return (int) attempts - 1;
  }

  static Optional<Finding> immediateRetries(PolicyVariant variant, Linter.LintContext context) {
    long retries = variant.timeline().retries();
    if (!(variant.effectivePolicy().backoff() instanceof Backoff.Immediate)
        || retries < 2
        || context.clients() == 1) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            variant.path("backoff"),
            "%s clients that fail together each send %s retries at once, before the service can recover"
                .formatted(NumberText.of(context.clients()), retries(variant)),
            "keep at most one immediate retry, or add a delay: \"backoff\": {\"type\": \"exponential\", \"initial\": \"100ms\"}"));
  }

  private static String retries(PolicyVariant variant) {
    String counted = NumberText.of(variant.timeline().retries());
    return variant.timeline().end() == null ? "at least " + counted : counted;
  }

  static Optional<Finding> noJitter(PolicyVariant variant, Linter.LintContext context) {
    List<Timeline.Retry> retries = variant.retries();
    boolean waits = !(variant.effectivePolicy().backoff() instanceof Backoff.Immediate);
    if (context.clients() == 1
        || !waits
        || retries.isEmpty()
        || spreads(variant.effectivePolicy().jitter())) {
      return Optional.empty();
    }
    String delays =
        retries.stream()
            .limit(DELAYS_SHOWN)
            .map(retry -> DurationText.format(retry.base()))
            .collect(Collectors.joining(", ", "", retries.size() > DELAYS_SHOWN ? ", …" : ""));
    return Optional.of(
        new Finding(
            variant.path("jitter"),
            "%s clients that fail together retry together every time: after %s"
                .formatted(NumberText.of(context.clients()), delays),
            "set " + SPREAD));
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

  static Optional<Finding> jitterLostAtCap(PolicyVariant variant, Linter.LintContext context) {
    Duration cap = variant.effectivePolicy().maxDelay();
    if (cap == null || context.clients() == 1 || !spreads(variant.effectivePolicy().jitter())) {
      return Optional.empty();
    }
    return variant.retries().stream()
        .filter(retry -> retry.delay().earliest().equals(cap))
        .findFirst()
        .map(
            retry ->
                new Finding(
                    variant.path("jitter"),
                    "from retry %s on, max_delay leaves no room for jitter: %s clients retry together after exactly %s"
                        .formatted(
                            NumberText.of(retry.attempt() + 1),
                            NumberText.of(context.clients()),
                            DurationText.format(cap)),
                    "set %s, which also draws below max_delay, or a longer max_delay"
                        .formatted(SPREAD)));
  }
}
