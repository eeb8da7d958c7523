// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.LintText;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Linter;
import dev.perdure.policy.explain.RepresentativeFailure;
import dev.perdure.policy.json.LintReport;
import dev.perdure.policy.json.PolicyReportJson;
import dev.perdure.policy.json.WrittenPolicy;
import dev.perdure.policy.simulate.InvalidScenarioException;
import dev.perdure.policy.simulate.OutageSimulation;
import dev.perdure.policy.simulate.Scenario;
import dev.perdure.policy.simulate.StabilityVerdict;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Warns about valid but unwise policies. */
@Command(
    name = "lint",
    description = "Warn about parts of a retry policy that are valid but unwise.",
    footer = {
      "",
      "The last line says what 'simulate' would find. The exit code is 1 when there is a warning.",
      "",
      "Examples:",
      "  perdure lint http --method POST",
      "  perdure lint policy.json --clients 5000 --layers 3"
    })
final class LintCommand implements Callable<Integer> {

  private static final int MAX_CLIENTS = 1_000_000_000;
  private static final int MAX_LAYERS = 20;

  @Parameters(paramLabel = "POLICY", description = PolicyArgument.DESCRIPTION)
  private @Nullable String policy;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Clients that use the policy (1000).")
  private @Nullable String clients;

  @Option(names = "--method", paramLabel = "NAME", description = "The HTTP method that is retried.")
  private @Nullable String method;

  @Option(names = "--idempotency-key", description = "The requests carry an idempotency key.")
  private boolean idempotencyKey;

  @Option(
      names = "--key-lifetime",
      paramLabel = "TIME",
      description = "How long the server remembers that key (24h).")
  private @Nullable String keyLifetime;

  @Option(
      names = "--layers",
      paramLabel = "N",
      description = "Nested layers that retry like this (1).")
  private @Nullable String layers;

  @Option(
      names = "--amplification",
      paramLabel = "X",
      description = "The load that retries may cause, as a multiple of normal (6).")
  private @Nullable String amplification;

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  LintCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    OptionParser parser = new OptionParser();
    WrittenPolicy parsed = parser.writtenPolicy(context, policy);
    Linter.LintContext usage = usage(parser);
    parser.throwIfInvalid();

    WrittenPolicy written = Objects.requireNonNull(parsed);
    LintReport report = written.lint(usage);
    StabilityVerdict outage = outage(written.policy());
    if (output.json) {
      ObjectNode json = PolicyReportJson.warnings(report);
      context.out().println(json.put("outage", outage == null ? null : outage.text()));
    } else {
      LintText.print(output.writer(context), report, outage);
    }
    return report.warnings().isEmpty() ? Perdure.EXIT_OK : Perdure.EXIT_NEGATIVE;
  }

  /** The verdict of {@code simulate}; null if the policy retries too often to simulate it. */
  private static @Nullable StabilityVerdict outage(RetryPolicy policy) {
    try {
      return OutageSimulation.verdict(policy, RepresentativeFailure.of(policy), Scenario.DEFAULT);
    } catch (InvalidScenarioException tooLarge) {
      return null;
    }
  }

  private Linter.LintContext usage(OptionParser parser) {
    Linter.LintContext defaults = Linter.LintContext.DEFAULT;
    return new Linter.LintContext(
        parser.count("--clients", clients, defaults.clients(), 1, MAX_CLIENTS),
        method == null ? defaults.method() : method,
        idempotencyKey,
        parser.duration("--key-lifetime", keyLifetime, defaults.keyLifetime()),
        parser.count("--layers", layers, defaults.layers(), 1, MAX_LAYERS),
        parser.atLeast("--amplification", amplification, defaults.amplificationBound(), 1),
        context.now());
  }
}
