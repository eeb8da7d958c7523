// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Failure;
import dev.perdure.policy.Problem;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.TypicalFailure;
import dev.perdure.policy.simulate.InvalidScenarioException;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.Simulation;
import dev.perdure.policy.simulate.Verdict;
import dev.perdure.server.cli.plot.LoadPicture;
import dev.perdure.server.cli.text.SimulationText;
import dev.perdure.server.policy.Reports;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a policy does to a service in trouble. */
@Command(
    name = "simulate",
    description = "Puts many clients with a policy before a service in an outage, and watches.",
    footer = {
      "",
      "Exit code 1 when the service does not recover with this policy.",
      "",
      "Examples:",
      "  perdure simulate http",
      "  perdure simulate queue --load 80%% --outage 1m --remaining 0",
      "  perdure simulate policy.json --clients 5000 --plot load.png"
    })
final class SimulateCommand implements Callable<Integer> {

  private static final int MOST_BUDGET = 10;
  private static final int MOST = 1_000_000;

  @Parameters(paramLabel = "POLICY", description = PolicyArgument.DESCRIPTION)
  private @Nullable String policy;

  @Option(names = "--clients", paramLabel = "N", description = "Independent clients (1000).")
  private @Nullable String clients;

  @Option(
      names = "--capacity",
      paramLabel = "N",
      description = "Requests a second that the service can do (1000).")
  private @Nullable String capacity;

  @Option(
      names = "--load",
      paramLabel = "SHARE",
      description = "Share of it used without retries (60%%).")
  private @Nullable String load;

  @Option(names = "--outage", paramLabel = "TIME", description = "How long the outage lasts (10s).")
  private @Nullable String outage;

  @Option(
      names = "--remaining",
      paramLabel = "SHARE",
      description = "Capacity left in the outage (20%%).")
  private @Nullable String remaining;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "So long a client waits for an answer (1s).")
  private @Nullable String timeout;

  @Option(names = "--horizon", paramLabel = "TIME", description = "Watched so long after it (2m).")
  private @Nullable String horizon;

  @Option(
      names = "--budget",
      paramLabel = "SHARE",
      description = "Retries per request in the run with a budget (10%%).")
  private @Nullable String budget;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Where everything random comes from (42).")
  private @Nullable String seed;

  @Option(
      names = "--failure",
      paramLabel = "JSON",
      description = "What a client sees of a lost attempt; by default one that is retried.")
  private @Nullable String failure;

  @Option(names = "--plot", paramLabel = "FILE", description = "Draw it too: FILE.svg or FILE.png.")
  private @Nullable String plot;

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  SimulateCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    Given given = new Given();
    RetryPolicy read = given.policy(shell, policy);
    List<Failure> named = given.failures(failure == null ? List.of() : List.of(failure));
    Scenario scenario = scenario(given);
    PlotTarget target = given.plot(plot);
    given.requireRight();

    Failure seen = named.isEmpty() ? TypicalFailure.of(read) : named.getFirst();
    Simulation.Report report = simulated(read, seen, scenario);
    target.write(() -> new LoadPicture(report));
    if (output.json) {
      shell.out().println(Reports.report(report));
    } else {
      new SimulationText(output.page(shell), report).print(seen);
      target.report(output.page(shell));
    }
    return report.withPolicy().verdict() == Verdict.METASTABLE ? Perdure.NO : Perdure.DONE;
  }

  private Scenario scenario(Given given) {
    Scenario usual = Scenario.DEFAULT;
    return new Scenario(
        given.count("--clients", clients, usual.clients(), 1, MOST),
        given.count("--capacity", capacity, usual.capacity(), 1, MOST),
        given.part("--load", load, usual.load()),
        given.duration("--outage", outage, usual.outage()),
        given.share("--remaining", remaining, usual.remaining(), 1),
        given.duration("--timeout", timeout, usual.timeout()),
        given.duration("--horizon", horizon, usual.horizon()),
        given.share("--budget", budget, usual.budget(), MOST_BUDGET),
        given.wholeNumber("--seed", seed, usual.seed()));
  }

  private static Simulation.Report simulated(
      RetryPolicy policy, Failure failure, Scenario scenario) {
    try {
      return Simulation.of(policy, failure, scenario);
    } catch (InvalidScenarioException e) {
      throw new WrongUseException(e.problems().stream().map(SimulateCommand::ofOption).toList());
    }
  }

  /** The options are named for the fields. */
  private static Problem ofOption(Problem problem) {
    return problem.path().isEmpty()
        ? problem
        : new Problem("--" + problem.path(), problem.message());
  }
}
