// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.plot.LoadPlot;
import dev.perdure.cli.text.SimulationText;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.TypicalFailure;
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

  private static final int MAX_BUDGET = 10;
  private static final int MAX_COUNT = 1_000_000;

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

  private final CliContext cliContext;

  SimulateCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    OptionParser optionParser = new OptionParser();
    RetryPolicy read = optionParser.policy(cliContext, policy);
    List<Failure> named = optionParser.failures(failure == null ? List.of() : List.of(failure));
    Scenario scenario = scenario(optionParser);
    PlotTarget target = optionParser.plot(plot);
    optionParser.throwIfInvalid();

    Failure seen = named.isEmpty() ? TypicalFailure.of(read) : named.getFirst();
    OutageSimulation.Report report = simulate(read, seen, scenario);
    target.write(() -> new LoadPlot(report));
    if (output.json) {
      cliContext.out().println(PolicyReportJson.report(report));
    } else {
      new SimulationText(output.writer(cliContext), report).print(seen);
      target.report(output.writer(cliContext));
    }
    return report.withPolicy().verdict() == StabilityVerdict.METASTABLE
        ? Perdure.EXIT_NEGATIVE
        : Perdure.EXIT_OK;
  }

  private Scenario scenario(OptionParser optionParser) {
    Scenario usual = Scenario.DEFAULT;
    return new Scenario(
        optionParser.count("--clients", clients, usual.clients(), 1, MAX_COUNT),
        optionParser.count("--capacity", capacity, usual.capacity(), 1, MAX_COUNT),
        optionParser.properShare("--load", load, usual.load()),
        optionParser.duration("--outage", outage, usual.outage()),
        optionParser.share("--remaining", remaining, usual.remaining(), 1),
        optionParser.duration("--timeout", timeout, usual.timeout()),
        optionParser.duration("--horizon", horizon, usual.horizon()),
        optionParser.share("--budget", budget, usual.budget(), MAX_BUDGET),
        optionParser.wholeNumber("--seed", seed, usual.seed()));
  }

  private static OutageSimulation.Report simulate(
      RetryPolicy policy, Failure failure, Scenario scenario) {
    try {
      return OutageSimulation.run(policy, failure, scenario);
    } catch (InvalidScenarioException e) {
      throw new UsageException(e.errors().stream().map(SimulateCommand::toOptionProblem).toList());
    }
  }

  /** The options are named for the fields. */
  private static FieldError toOptionProblem(FieldError fieldError) {
    return fieldError.path().isEmpty()
        ? fieldError
        : new FieldError("--" + fieldError.path(), fieldError.message());
  }
}
