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

/** Prints what makes a shell complete our words. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    description = "Prints a script that makes a shell complete commands and options.",
    footer = {
      "",
      "Example:",
      "  perdure completion bash > /etc/bash_completion.d/perdure",
      "  source <(perdure completion zsh)"
    })
final class CompletionCommand implements Callable<Integer> {

  private static final List<String> SHELLS = List.of("bash", "zsh");

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private String name = "";

  @Spec private @Nullable CommandSpec spec;

  private final CliContext cliContext;

  CompletionCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    if (spec == null || !SHELLS.contains(name)) {
      throw new UsageException(
          "SHELL", "must be bash or zsh, not '%s'".formatted(FieldError.sanitize(name)));
    }
    // One script serves both: in zsh it turns on the completion of bash.
    cliContext.out().print(AutoComplete.bash("perdure", spec.root().commandLine()));
    return Perdure.EXIT_OK;
  }
}
