// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.simulate.OutageResult;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.StabilityVerdict;

/** What follows from the numbers of a simulation. */
final class SimulationAdvice {

  private static final double WORTH_TELLING = 0.01;
  private static final int LONGER_OUTAGE = 4;

  private SimulationAdvice() {}

  static String of(OutageSimulation.Report report) {
    return switch (report.withPolicy().verdict()) {
      case STABLE -> stable(report);
      case VULNERABLE -> vulnerable(report);
      case METASTABLE -> metastable(report);
    };
  }

  private static String stable(OutageSimulation.Report report) {
    OutageResult outageResult = report.withPolicy();
    if (outageResult.attempts() == outageResult.requests()) {
      return "The service recovers by itself: the policy retries nothing of what the clients see.";
    }
    return "The service recovers, also from an outage %d times as long, at %s attempts a request. %s"
        .formatted(
            LONGER_OUTAGE, NumberFormatting.plain(outageResult.amplification(), 2), gain(report));
  }

  private static String gain(OutageSimulation.Report report) {
    double gain = report.withPolicy().successRate() - report.withoutRetries().successRate();
    if (gain >= WORTH_TELLING) {
      return "The retries save %s of the requests.".formatted(NumberFormatting.percent(gain));
    }
    return gain <= -WORTH_TELLING
        ? "Yet the retries cost %s of the requests: fewer or later ones would do better."
            .formatted(NumberFormatting.percent(-gain))
        : "The retries save hardly a request here: they come while it is still down, so wait longer"
            + " between them.";
  }

  private static String vulnerable(OutageSimulation.Report report) {
    String longer = DurationText.format(report.scenario().outage().multipliedBy(LONGER_OUTAGE));
    return "The service recovers from this outage; after one of %s the retries would keep it down. %s"
        .formatted(longer, budget(report));
  }

  private static String metastable(OutageSimulation.Report report) {
    if (report.withoutRetries().verdict() == StabilityVerdict.METASTABLE) {
      return "The service does not recover even without retries: it needs more capacity than this"
          + " load leaves it, or clients that wait longer for an answer.";
    }
    return "The cause is gone, but the retries alone keep the service down: each request costs %s attempts. %s"
        .formatted(NumberFormatting.plain(report.withPolicy().amplification(), 1), budget(report));
  }

  private static String budget(OutageSimulation.Report report) {
    String share = NumberFormatting.percent(report.scenario().budget());
    OutageResult outageResult = report.withBudget();
    return switch (outageResult.verdict()) {
      case STABLE ->
          "A retry budget of %s keeps it stable%s: switch it on."
              .formatted(share, drained(outageResult));
      case VULNERABLE ->
          "A retry budget of %s brings it back from this one%s, not from a longer one: use a smaller budget or fewer retries."
              .formatted(share, drained(outageResult));
      case METASTABLE ->
          "A retry budget of %s is not enough: use a smaller one, fewer retries, or leave more capacity free."
              .formatted(share);
    };
  }

  private static String drained(OutageResult outageResult) {
    if (outageResult.drainTime() == null || outageResult.drainTime().isZero()) {
      return "";
    }
    return " and drains in " + ShortDuration.of(outageResult.drainTime());
  }
}
