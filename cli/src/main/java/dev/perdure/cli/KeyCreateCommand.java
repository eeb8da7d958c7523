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

/** Creates an API key. */
@Command(
    name = "create",
    description = "Create a key and show it, once.",
    footer = {
      "",
      "Roles: read sees everything, submit submits, work claims and settles, operate reads and",
      "retries, pauses, resumes, cancels and redelivers, admin does all.",
      "",
      "Examples:",
      "  perdure key create ops --role admin --database",
      "  perdure key create ci --role submit --role read --expires 90d",
      "  perdure key create on-call --role operate"
    })
final class KeyCreateCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = "A name for people: who uses the key.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      required = true,
      split = ",",
      description = "read, submit, work, operate or admin; may be repeated.")
  private List<String> roles = new ArrayList<>();

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "The key expires after this time.")
  private @Nullable String expires;

  @Mixin private KeyAdminOptions target = new KeyAdminOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  KeyCreateCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    OptionParser parser = new OptionParser();
    Duration validity = parser.duration("--expires", expires, Duration.ZERO);
    parser.throwIfInvalid();
    try (KeyAdmin keys = target.open(context)) {
      JsonNode key = keys.create(name, roles, expires == null ? null : validity);
      if (output.json) {
        context.out().println(key);
      } else {
        KeyText.created(output.writer(context), key, context.commandPrefix());
      }
    }
    return Perdure.EXIT_OK;
  }
}
