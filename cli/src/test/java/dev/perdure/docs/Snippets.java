// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static dev.perdure.policy.FailureMatcher.serverErrors;
import static dev.perdure.policy.FailureMatcher.status;
import static dev.perdure.policy.Jitter.spread;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The Java of the documentation, compiled and run. The snippets must match the pages exactly. */
final class Snippets {

  private final List<String> logged = new ArrayList<>();

  RetryPolicy written() {
    RetryPolicy policy =
        RetryPolicy.exponential(ofSeconds(1))
            .multiplier(2)
            .maxDelay(ofMinutes(5))
            .maxRetries(5)
            .jitter(spread(0.25))
            .retryOn(status(429), serverErrors())
            .build();
    return policy;
  }

  List<String> decided(RetryPolicy policy, RandomGenerator random) {
    Decision decision = policy.decide(DecisionContext.attempt(0), Failure.http(503), random);
    switch (decision) {
      case Decision.Retry retry -> log("attempt " + retry.attempt() + " in " + retry.delay());
      case Decision.GiveUp giveUp -> log("no more: " + giveUp.reason());
    }
    return logged;
  }

  private void log(String line) {
    logged.add(line);
  }
}
