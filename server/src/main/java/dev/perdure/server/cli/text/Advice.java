// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.text;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.simulate.Run;
import dev.perdure.policy.simulate.Simulation;
import dev.perdure.policy.simulate.Verdict;

/** What follows from the numbers of a simulation. */
final class Advice {

  private static final double WORTH_TELLING = 0.01;
  private static final int LONGER_OUTAGE = 4;

  private Advice() {}

  static String of(Simulation.Report report) {
    return switch (report.withPolicy().verdict()) {
      case STABLE -> stable(report);
      case VULNERABLE -> vulnerable(report);
      case METASTABLE -> metastable(report);
    };
  }

  private static String stable(Simulation.Report report) {
    Run run = report.withPolicy();
    if (run.attempts() == run.requests()) {
      return "The service recovers by itself: the policy retries nothing of what the clients see.";
    }
    return "The service recovers, also from an outage %d times as long, at %s attempts a request. %s"
        .formatted(LONGER_OUTAGE, Numbers.plain(run.amplification(), 2), gain(report));
  }

  private static String gain(Simulation.Report report) {
    double gain = report.withPolicy().successRate() - report.withoutRetries().successRate();
    if (gain >= WORTH_TELLING) {
      return "The retries save %s of the requests.".formatted(Numbers.percent(gain));
    }
    return gain <= -WORTH_TELLING
        ? "Yet the retries cost %s of the requests: fewer or later ones would do better."
            .formatted(Numbers.percent(-gain))
        : "The retries save hardly a request here: they come while it is still down, so wait longer"
            + " between them.";
  }

  private static String vulnerable(Simulation.Report report) {
    String longer = DurationText.format(report.scenario().outage().multipliedBy(LONGER_OUTAGE));
    return "The service recovers from this outage; after one of %s the retries would keep it down. %s"
        .formatted(longer, budget(report));
  }

  private static String metastable(Simulation.Report report) {
    if (report.withoutRetries().verdict() == Verdict.METASTABLE) {
      return "The service does not recover even without retries: it needs more capacity than this"
          + " load leaves it, or clients that wait longer for an answer.";
    }
    return "The cause is gone, but the retries alone keep the service down: each request costs %s attempts. %s"
        .formatted(Numbers.plain(report.withPolicy().amplification(), 1), budget(report));
  }

  private static String budget(Simulation.Report report) {
    String share = Numbers.percent(report.scenario().budget());
    Run run = report.withBudget();
    return switch (run.verdict()) {
      case STABLE ->
          "A retry budget of %s keeps it stable%s: switch it on.".formatted(share, drained(run));
      case VULNERABLE ->
          "A retry budget of %s brings it back from this one%s, not from a longer one: use a smaller budget or fewer retries."
              .formatted(share, drained(run));
      case METASTABLE ->
          "A retry budget of %s is not enough: use a smaller one, fewer retries, or leave more capacity free."
              .formatted(share);
    };
  }

  private static String drained(Run run) {
    if (run.drain() == null || run.drain().isZero()) {
      return "";
    }
    return " and drains in " + BriefTime.of(run.drain());
  }
}
