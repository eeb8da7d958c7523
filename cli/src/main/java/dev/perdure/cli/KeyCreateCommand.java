// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.KeyText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Makes a key. */
@Command(
    name = "create",
    description = "Makes a key, which is shown this once.",
    footer = {
      "",
      "Roles: read looks at everything, submit submits, work claims and settles, admin does all.",
      "",
      "Examples:",
      "  perdure key create ops --role admin --database",
      "  perdure key create ci --role submit --role read --expires 90d"
    })
final class KeyCreateCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = "Whose it is, for people.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      required = true,
      split = ",",
      description = "What it may do: read, submit, work or admin; may be given again.")
  private List<String> roles = new ArrayList<>();

  @Option(names = "--expires", paramLabel = "TIME", description = "It ends after so long.")
  private @Nullable String expires;

  @Mixin private KeyAdminOptions target = new KeyAdminOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  KeyCreateCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    OptionParser optionParser = new OptionParser();
    Duration validity = optionParser.duration("--expires", expires, Duration.ZERO);
    optionParser.throwIfInvalid();
    try (KeyAdmin desk = target.open(cliContext)) {
      JsonNode made = desk.create(name, roles, expires == null ? null : validity);
      if (output.json) {
        cliContext.out().println(made);
      } else {
        KeyText.created(output.writer(cliContext), made);
      }
    }
    return Perdure.EXIT_OK;
  }
}
