// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Keys: what to do with them is said by a second word. */
@Command(
    name = "key",
    description = "Makes, lists and revokes the keys that a server asks for.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    footer = {
      "",
      "Asks a server; with --database it works on the database itself, as for the first key.",
      "",
      "Examples:",
      "  perdure key create ops --role admin --database",
      "  perdure key list"
    })
final class KeyCommand {

  private KeyCommand() {}

  static CommandLine create(CliContext cliContext) {
    return new CommandLine(new KeyCommand())
        .addSubcommand(new KeyCreateCommand(cliContext))
        .addSubcommand(new KeyListCommand(cliContext))
        .addSubcommand(new KeyRevokeCommand(cliContext));
  }
}
