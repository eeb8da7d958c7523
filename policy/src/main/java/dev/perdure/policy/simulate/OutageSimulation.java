// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Puts many clients with one policy before a service in trouble, and watches.
 *
 * <p>After {@link #WARM_UP} the outage begins. A client whose attempt is not answered in time asks
 * the policy, with the attempt, the time since the first attempt and the delay before; the service
 * works on what nobody waits for any more like on everything else. That is what keeps it down: its
 * work is wasted on attempts that were given up, and every one given up sends another.
 *
 * <p>With a budget, each client has a bucket of tokens. A new request puts {@code budget} of a
 * token in, a retry takes one out, and a retry that finds none is not made. A bucket starts empty
 * and holds at most 10.
 *
 * <p>The clock of the simulation starts in 1970, so that an expiry at an instant does not end
 * anything.
 */
public final class OutageSimulation {

  /** The most attempts a run may come to, worst case; a larger scenario is refused. */
  public static final long MAX_ATTEMPTS = 20_000_000;

  /** How long the service is watched before the outage. */
  public static final Duration WARM_UP = Duration.ofSeconds(5);

  private static final int LONGER_OUTAGE_FACTOR = 4;

  private OutageSimulation() {}

  /**
   * The same scenario three times.
   *
   * @param withoutRetries every failure is final
   * @param withPolicy as the policy says
   * @param withBudget as the policy says, and at most so many retries per request
   */
  public record Report(
      Scenario scenario,
      OutageResult withoutRetries,
      OutageResult withPolicy,
      OutageResult withBudget) {}

  /**
   * Runs it.
   *
   * @param failure what a client sees when an attempt is not answered in time
   * @throws InvalidScenarioException when the scenario makes no sense or is too large
   */
  public static Report run(RetryPolicy policy, Failure failure, Scenario scenario) {
    ScenarioChecks.require(scenario);
    ScenarioChecks.requireSize(policy, failure, longer(scenario, Duration.ZERO));
    Supplier<ClientBudgets> budgets = () -> ClientBudgets.of(scenario.budget(), scenario.clients());
    return new Report(
        scenario,
        run(RetryPolicy.none(), failure, scenario, ClientBudgets::unlimited),
        run(policy, failure, scenario, ClientBudgets::unlimited),
        run(policy, failure, scenario, budgets));
  }

  private static OutageResult run(
      RetryPolicy policy, Failure failure, Scenario scenario, Supplier<ClientBudgets> budgets) {
    RunStatistics recorder = start(policy, failure, scenario, budgets.get()).runToEnd();
    Duration drain = recorder.recovery().drainTime();
    if (drain == null) {
      return recorder.result(StabilityVerdict.METASTABLE);
    }
    RecoveryDetector longer =
        start(policy, failure, longer(scenario, drain), budgets.get()).runToEnd().recovery();
    return recorder.result(
        longer.recovered() ? StabilityVerdict.STABLE : StabilityVerdict.VULNERABLE);
  }

  /**
   * The same with an outage four times as long. What is left over from it takes four times as long
   * to work off, and must not be called stuck for that: the watch is longer, too. The service keeps
   * up as soon as what is left fits into the timeout, so that the drain we saw lacks the time for
   * that last part. Should all this take the run to the most attempts, then it ends there.
   */
  private static Scenario longer(Scenario scenario, Duration drain) {
    Duration watch =
        drain
            .plus(lastPart(scenario))
            .multipliedBy(LONGER_OUTAGE_FACTOR - 1)
            .plus(scenario.horizon());
    return new Scenario(
        scenario.clients(),
        scenario.capacity(),
        scenario.load(),
        scenario.outage().multipliedBy(LONGER_OUTAGE_FACTOR),
        scenario.remaining(),
        scenario.timeout(),
        watch,
        scenario.budget(),
        scenario.seed());
  }

  private static Duration lastPart(Scenario scenario) {
    long nanos = (long) (scenario.timeout().toNanos() / (1 - scenario.load()));
    return Duration.ofNanos(Math.min(nanos, scenario.horizon().toNanos()));
  }

  /** Two streams from one seed: the arrivals are the same whatever is drawn for the delays. */
  private static OutageRun start(
      RetryPolicy policy, Failure failure, Scenario scenario, ClientBudgets clientBudgets) {
    SplittableRandom source = new SplittableRandom(scenario.seed());
    double perSecond = scenario.load() * scenario.capacity();
    Arrivals arrivals = new PoissonArrivals(perSecond, scenario.clients(), source.split());
    return new OutageRun(
        policy, failure, ScenarioTimes.of(scenario), arrivals, clientBudgets, source.split());
  }
}
