// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.plot.LoadPlot;
import dev.perdure.cli.text.SimulationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.RepresentativeFailure;
import dev.perdure.policy.json.PolicyReportJson;
import dev.perdure.policy.simulate.InvalidScenarioException;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.StabilityVerdict;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Simulates how a policy affects a service during an outage. */
@Command(
    name = "simulate",
    description = "Simulate clients with a policy while their service has an outage.",
    footer = {
      "",
      "The exit code is 1 when the service does not recover.",
      "",
      "Examples:",
      "  perdure simulate http",
      "  perdure simulate queue --load 80%% --outage 1m --remaining 0",
      "  perdure simulate policy.json --clients 5000 --plot load.svg"
    })
final class SimulateCommand implements Callable<Integer> {

  private static final int MAX_BUDGET = 10;
  private static final int MAX_COUNT = 1_000_000;

  @Parameters(paramLabel = "POLICY", description = PolicyArgument.DESCRIPTION)
  private @Nullable String policy;

  @Option(names = "--clients", paramLabel = "N", description = "Independent clients (1000).")
  private @Nullable String clients;

  @Option(
      names = "--capacity",
      paramLabel = "N",
      description = "Requests per second that the service can handle (1000).")
  private @Nullable String capacity;

  @Option(
      names = "--load",
      paramLabel = "SHARE",
      description = "Share of the capacity used without retries (60%%).")
  private @Nullable String load;

  @Option(names = "--outage", paramLabel = "TIME", description = "How long the outage lasts (10s).")
  private @Nullable String outage;

  @Option(
      names = "--remaining",
      paramLabel = "SHARE",
      description = "Share of the capacity left in the outage (20%%).")
  private @Nullable String remaining;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long a client waits for an answer (1s).")
  private @Nullable String timeout;

  @Option(
      names = "--horizon",
      paramLabel = "TIME",
      description = "Time to watch after the outage (2m).")
  private @Nullable String horizon;

  @Option(
      names = "--budget",
      paramLabel = "SHARE",
      description = "Retries per request with a retry budget (10%%).")
  private @Nullable String budget;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of the random numbers (42).")
  private @Nullable String seed;

  @Option(
      names = "--failure",
      paramLabel = "FAILURE",
      description =
          "The failure that clients see: an HTTP status, a kind, or JSON; by default one that the"
              + " policy retries.")
  private @Nullable String failure;

  @Option(names = "--plot", paramLabel = "FILE.svg", description = "Also draw it as SVG.")
  private @Nullable String plot;

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  SimulateCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    OptionParser parser = new OptionParser();
    RetryPolicy parsed = parser.policy(context, policy);
    List<Failure> named = parser.failures(failure == null ? List.of() : List.of(failure));
    Scenario scenario = scenario(parser);
    PlotTarget target = parser.plot(plot);
    parser.throwIfInvalid();

    Failure seen = named.isEmpty() ? RepresentativeFailure.of(parsed) : named.getFirst();
    OutageSimulation.Report report = simulate(parsed, seen, scenario);
    target.write(() -> new LoadPlot(report));
    if (output.json) {
      context.out().println(PolicyReportJson.report(report));
    } else {
      new SimulationText(output.writer(context), report).print(seen);
      target.report(output.writer(context));
    }
    return report.withPolicy().verdict() == StabilityVerdict.METASTABLE
        ? Perdure.EXIT_NEGATIVE
        : Perdure.EXIT_OK;
  }

  private Scenario scenario(OptionParser parser) {
    Scenario defaults = Scenario.DEFAULT;
    return new Scenario(
        parser.count("--clients", clients, defaults.clients(), 1, MAX_COUNT),
        parser.count("--capacity", capacity, defaults.capacity(), 1, MAX_COUNT),
        parser.properShare("--load", load, defaults.load()),
        parser.duration("--outage", outage, defaults.outage()),
        parser.share("--remaining", remaining, defaults.remaining(), 1),
        parser.duration("--timeout", timeout, defaults.timeout()),
        parser.duration("--horizon", horizon, defaults.horizon()),
        parser.share("--budget", budget, defaults.budget(), MAX_BUDGET),
        parser.wholeNumber("--seed", seed, defaults.seed()));
  }

  private static OutageSimulation.Report simulate(
      RetryPolicy policy, Failure failure, Scenario scenario) {
    try {
      return OutageSimulation.run(policy, failure, scenario);
    } catch (InvalidScenarioException e) {
      throw new UsageException(e.errors().stream().map(SimulateCommand::toOptionProblem).toList());
    }
  }

  /** Options have the names of the scenario's fields. */
  private static FieldError toOptionProblem(FieldError error) {
    return error.path().isEmpty() ? error : new FieldError("--" + error.path(), error.message());
  }
}
