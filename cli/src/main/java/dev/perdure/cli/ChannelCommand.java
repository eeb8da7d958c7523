// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The group of commands about the channels for notifications. */
@Command(
    name = "channel",
    description = "List and test notification channels.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    footer = {
      "",
      "Channels are configured with the setting channels: perdure config",
      "",
      "Examples:",
      "  perdure channel list",
      "  perdure channel test ops"
    })
final class ChannelCommand {

  private ChannelCommand() {}

  static CommandLine create(CliContext context) {
    return new CommandLine(new ChannelCommand())
        .addSubcommand(new ChannelListCommand(context))
        .addSubcommand(new ChannelTestCommand(context));
  }
}
