// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.policy.explain.Linter;
import dev.perdure.server.cli.text.LintText;
import dev.perdure.server.policy.Reports;
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

  private static final int MOST_CLIENTS = 1_000_000_000;
  private static final int MOST_LAYERS = 20;

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

  private final Shell shell;

  LintCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    Given given = new Given();
    RetryPolicy read = given.policy(shell, policy);
    Linter.Use use = use(given);
    given.requireRight();

    List<Linter.Warning> warnings = Linter.lint(read, use);
    if (output.json) {
      shell.out().println(Reports.warnings(warnings));
    } else {
      LintText.print(output.page(shell), warnings);
    }
    return warnings.isEmpty() ? Perdure.DONE : Perdure.NO;
  }

  private Linter.Use use(Given given) {
    Linter.Use usual = Linter.Use.DEFAULT;
    return new Linter.Use(
        given.count("--clients", clients, usual.clients(), 1, MOST_CLIENTS),
        method == null ? usual.method() : method,
        idempotencyKey,
        given.duration("--key-lifetime", keyLifetime, usual.keyLifetime()),
        given.count("--layers", layers, usual.layers(), 1, MOST_LAYERS),
        given.atLeast("--amplification", amplification, usual.amplificationBound(), 1));
  }
}
