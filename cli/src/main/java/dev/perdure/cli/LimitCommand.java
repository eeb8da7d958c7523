// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The group of commands that limit all tasks of a kind. */
@Command(
    name = "limit",
    description = "Limit all tasks of a kind, whatever their own rules say.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    footer = {
      "",
      "What is in use, and what waits: perdure limits",
      "",
      "Examples:",
      "  perdure limit set sync --max 10",
      "  perdure limit set mail --rate 5/1s --per tenant",
      "  perdure limit show sync",
      "  perdure limit rm sync"
    })
final class LimitCommand {

  static final String KIND_DESCRIPTION = "The kind of the tasks.";

  private LimitCommand() {}

  static CommandLine create(CliContext context) {
    return new CommandLine(new LimitCommand())
        .addSubcommand(new LimitSetCommand(context))
        .addSubcommand(new LimitShowCommand(context))
        .addSubcommand(new LimitRemoveCommand(context));
  }

  /** The path of the limits of this kind. */
  static String path(String kind) {
    return PathArgument.append("/limit/", "KIND", kind);
  }
}
