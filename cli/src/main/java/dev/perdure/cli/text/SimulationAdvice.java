// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import dev.perdure.policy.DurationText;
import dev.perdure.policy.simulate.OutageResult;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.StabilityVerdict;

/** Draws conclusions from the numbers of a simulation. */
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
    OutageResult result = report.withPolicy();
    if (result.attempts() == result.requests()) {
      return "The service recovers on its own: the policy does not retry these failures.";
    }
    return "The service recovers, even from an outage %d times as long, with %s attempts per request. %s"
        .formatted(LONGER_OUTAGE, NumberFormatting.plain(result.amplification(), 2), gain(report));
  }

  private static String gain(OutageSimulation.Report report) {
    double gain = report.withPolicy().successRate() - report.withoutRetries().successRate();
    if (gain >= WORTH_TELLING) {
      return "Retries save %s of the requests.".formatted(NumberFormatting.percent(gain));
    }
    return gain <= -WORTH_TELLING
        ? "But retries cost %s of the requests: use fewer or later ones."
            .formatted(NumberFormatting.percent(-gain))
        : "Retries save hardly any requests here, because they come during the outage: use longer"
            + " delays.";
  }

  private static String vulnerable(OutageSimulation.Report report) {
    String longer = DurationText.format(report.scenario().outage().multipliedBy(LONGER_OUTAGE));
    return "The service recovers from this outage, but after one of %s retries would keep it down. %s"
        .formatted(longer, budget(report));
  }

  private static String metastable(OutageSimulation.Report report) {
    if (report.withoutRetries().verdict() == StabilityVerdict.METASTABLE) {
      return "The service does not recover even without retries: it needs more capacity, or clients"
          + " that wait longer for an answer.";
    }
    return "The outage is over, but retries alone keep the service down: each request costs %s attempts. %s"
        .formatted(NumberFormatting.plain(report.withPolicy().amplification(), 1), budget(report));
  }

  private static String budget(OutageSimulation.Report report) {
    String share = NumberFormatting.percent(report.scenario().budget());
    OutageResult result = report.withBudget();
    return switch (result.verdict()) {
      case STABLE ->
          "A retry budget of %s keeps it stable%s: use one.".formatted(share, drained(result));
      case VULNERABLE ->
          "A retry budget of %s is enough for this outage%s, but not for a longer one: use a smaller budget or fewer retries."
              .formatted(share, drained(result));
      case METASTABLE ->
          "A retry budget of %s is not enough: use a smaller one, fewer retries, or more spare capacity."
              .formatted(share);
    };
  }

  private static String drained(OutageResult result) {
    if (result.drainTime() == null || result.drainTime().isZero()) {
      return "";
    }
    return " and the backlog drains in " + ShortDuration.of(result.drainTime());
  }
}
