// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a completion script for a shell. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    description = "Print a script for command completion in bash or zsh.",
    footer = {
      "",
      "Examples:",
      "  perdure completion bash > /etc/bash_completion.d/perdure",
      "  source <(perdure completion zsh)"
    })
final class CompletionCommand implements Callable<Integer> {

  private static final List<String> SHELLS = List.of("bash", "zsh");

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private String name = "";

  @Spec private @Nullable CommandSpec spec;

  private final CliContext context;

  CompletionCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (spec == null || !SHELLS.contains(name)) {
      throw new UsageException(
          "SHELL", "must be bash or zsh, not '%s'".formatted(FieldError.sanitize(name)));
    }
    // The same script works in zsh, where it turns on bash completion.
    context.out().print(AutoComplete.bash("perdure", spec.root().commandLine()));
    return Perdure.EXIT_OK;
  }
}
