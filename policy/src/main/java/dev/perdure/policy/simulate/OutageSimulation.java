// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Simulates many clients with the same policy and a service that goes through an outage.
 *
 * <p>The outage begins after {@link #WARM_UP}. A client whose attempt is not answered in time asks
 * the policy, passing the attempt number, the time since the first attempt and the previous delay.
 * The service does not know that the client has given up, and works on the attempt as on any other.
 * That can keep the service down: it wastes its time on abandoned attempts, and each of them
 * triggers another.
 *
 * <p>With a budget, each client has a token bucket. A new request adds {@code budget} tokens and a
 * retry takes one; without a token there is no retry. A bucket starts empty and holds at most 10
 * tokens.
 *
 * <p>The simulated clock starts in 1970, so {@code expires_at} has no effect.
 */
public final class OutageSimulation {

  /** The maximum number of attempts in a run; a scenario that could exceed it is rejected. */
  public static final long MAX_ATTEMPTS = 20_000_000;

  /** How long the run lasts before the outage begins. */
  public static final Duration WARM_UP = Duration.ofSeconds(5);

  private static final int LONGER_OUTAGE_FACTOR = 4;

  private OutageSimulation() {}

  /**
   * The results of three runs of the same scenario.
   *
   * @param withoutRetries every failure is final
   * @param withPolicy clients retry as the policy says
   * @param withBudget clients retry as the policy says, within their retry budget
   */
  public record Report(
      Scenario scenario,
      OutageResult withoutRetries,
      OutageResult withPolicy,
      OutageResult withBudget) {}

  /**
   * Runs the simulation.
   *
   * @param failure the failure that a client sees if an attempt is not answered in time
   * @throws InvalidScenarioException if the scenario is invalid or too large
   */
  public static Report run(RetryPolicy policy, Failure failure, Scenario scenario) {
    return run(policy, failure, scenario, () -> false);
  }

  /**
   * Runs the simulation until it is no longer wanted.
   *
   * @param canceled asked again and again; when true, a CancellationException ends the simulation
   */
  public static Report run(
      RetryPolicy policy, Failure failure, Scenario scenario, BooleanSupplier canceled) {
    requireValid(policy, failure, scenario);
    Supplier<ClientBudgets> budgets = () -> ClientBudgets.of(scenario.budget(), scenario.clients());
    return new Report(
        scenario,
        run(RetryPolicy.none(), failure, scenario, ClientBudgets::unlimited, canceled),
        run(policy, failure, scenario, ClientBudgets::unlimited, canceled),
        run(policy, failure, scenario, budgets, canceled));
  }

  /**
   * Returns only the verdict on the policy without a budget, in a third of the time.
   *
   * @throws InvalidScenarioException if the scenario is invalid or too large
   */
  public static StabilityVerdict verdict(RetryPolicy policy, Failure failure, Scenario scenario) {
    requireValid(policy, failure, scenario);
    return run(policy, failure, scenario, ClientBudgets::unlimited, () -> false).verdict();
  }

  private static void requireValid(RetryPolicy policy, Failure failure, Scenario scenario) {
    ScenarioChecks.require(scenario);
    ScenarioChecks.requireSize(policy, failure, longer(scenario, Duration.ZERO));
  }

  private static OutageResult run(
      RetryPolicy policy,
      Failure failure,
      Scenario scenario,
      Supplier<ClientBudgets> budgets,
      BooleanSupplier canceled) {
    RunStatistics statistics = start(policy, failure, scenario, budgets.get()).runToEnd(canceled);
    Duration drain = statistics.recovery().drainTime();
    if (drain == null) {
      return statistics.result(StabilityVerdict.METASTABLE);
    }
    RecoveryDetector longer =
        start(policy, failure, longer(scenario, drain), budgets.get())
            .runToEnd(canceled)
            .recovery();
    return statistics.result(
        longer.recovered() ? StabilityVerdict.STABLE : StabilityVerdict.VULNERABLE);
  }

  /**
   * Returns the scenario with an outage four times as long.
   *
   * <p>The backlog of a longer outage takes four times as long to drain, which does not mean that
   * the service is stuck. So the horizon grows too. The observed drain time ends as soon as the
   * backlog fits into the timeout; the rest of the backlog is added separately. If this makes the
   * run exceed the maximum number of attempts, it ends there.
   */
  private static Scenario longer(Scenario scenario, Duration drain) {
    Duration horizon =
        drain
            .plus(finalDrain(scenario))
            .multipliedBy(LONGER_OUTAGE_FACTOR - 1)
            .plus(scenario.horizon());
    return new Scenario(
        scenario.clients(),
        scenario.capacity(),
        scenario.load(),
        scenario.outage().multipliedBy(LONGER_OUTAGE_FACTOR),
        scenario.remaining(),
        scenario.timeout(),
        horizon,
        scenario.budget(),
        scenario.seed());
  }

  private static Duration finalDrain(Scenario scenario) {
    long nanos = (long) (scenario.timeout().toNanos() / (1 - scenario.load()));
    return Duration.ofNanos(Math.min(nanos, scenario.horizon().toNanos()));
  }

  /**
   * Splits the seed into two random streams, so that the arrivals do not depend on the delays
   * drawn.
   */
  private static OutageRun start(
      RetryPolicy policy, Failure failure, Scenario scenario, ClientBudgets budgets) {
    SplittableRandom source = new SplittableRandom(scenario.seed());
    double perSecond = scenario.load() * scenario.capacity();
    Arrivals arrivals = new PoissonArrivals(perSecond, scenario.clients(), source.split());
    return new OutageRun(
        policy, failure, ScenarioTimes.of(scenario), arrivals, budgets, source.split());
  }
}
