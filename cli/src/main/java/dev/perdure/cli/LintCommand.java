// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.LintText;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Linter;
import dev.perdure.policy.json.PolicyReportJson;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Warns of what is legal in a policy but unwise. */
@Command(
    name = "lint",
    description = "Warns of what is legal in a policy but unwise.",
    footer = {
      "",
      "Exit code 1 when there is any warning.",
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

  @Option(names = "--clients", paramLabel = "N", description = "Clients that follow it (1000).")
  private @Nullable String clients;

  @Option(names = "--method", paramLabel = "NAME", description = "The HTTP method it retries.")
  private @Nullable String method;

  @Option(names = "--idempotency-key", description = "The requests carry an idempotency key.")
  private boolean idempotencyKey;

  @Option(
      names = "--key-lifetime",
      paramLabel = "TIME",
      description = "How long a server remembers the key (24h).")
  private @Nullable String keyLifetime;

  @Option(
      names = "--layers",
      paramLabel = "N",
      description = "Layers, one above the other, that retry like this (1).")
  private @Nullable String layers;

  @Option(
      names = "--amplification",
      paramLabel = "X",
      description = "How many times the usual load retries may make of it (6).")
  private @Nullable String amplification;

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  LintCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    OptionParser optionParser = new OptionParser();
    RetryPolicy read = optionParser.policy(cliContext, policy);
    Linter.LintContext lintContext = use(optionParser);
    optionParser.throwIfInvalid();

    List<Linter.Warning> warnings = Linter.lint(read, lintContext);
    if (output.json) {
      cliContext.out().println(PolicyReportJson.warnings(warnings));
    } else {
      LintText.print(output.writer(cliContext), warnings);
    }
    return warnings.isEmpty() ? Perdure.EXIT_OK : Perdure.EXIT_NEGATIVE;
  }

  private Linter.LintContext use(OptionParser optionParser) {
    Linter.LintContext usual = Linter.LintContext.DEFAULT;
    return new Linter.LintContext(
        optionParser.count("--clients", clients, usual.clients(), 1, MAX_CLIENTS),
        method == null ? usual.method() : method,
        idempotencyKey,
        optionParser.duration("--key-lifetime", keyLifetime, usual.keyLifetime()),
        optionParser.count("--layers", layers, usual.layers(), 1, MAX_LAYERS),
        optionParser.atLeast("--amplification", amplification, usual.amplificationBound(), 1));
  }
}
