// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The group of commands that manage API keys. */
@Command(
    name = "key",
    description = "Create, list and revoke API keys.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    footer = {
      "",
      "Uses a server, or with --database the database directly, which you need for the first key.",
      "",
      "Examples:",
      "  perdure key create ops --role admin --database",
      "  perdure key list"
    })
final class KeyCommand {

  private KeyCommand() {}

  static CommandLine create(CliContext context) {
    return new CommandLine(new KeyCommand())
        .addSubcommand(new KeyCreateCommand(context))
        .addSubcommand(new KeyListCommand(context))
        .addSubcommand(new KeyRevokeCommand(context));
  }
}
