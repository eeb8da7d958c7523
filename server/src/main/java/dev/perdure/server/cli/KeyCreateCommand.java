// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.text.KeyText;
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

  @Mixin private KeyPlace place = new KeyPlace();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  KeyCreateCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    Given given = new Given();
    Duration validity = given.duration("--expires", expires, Duration.ZERO);
    given.requireRight();
    try (KeyDesk desk = place.desk(shell)) {
      JsonNode made = desk.create(name, roles, expires == null ? null : validity);
      if (output.json) {
        shell.out().println(made);
      } else {
        KeyText.created(output.page(shell), made);
      }
    }
    return Perdure.DONE;
  }
}
