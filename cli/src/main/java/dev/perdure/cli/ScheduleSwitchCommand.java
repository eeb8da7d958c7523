// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.JsonNodeFactory;

/** Pauses or resumes a schedule. */
@Command
final class ScheduleSwitchCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = ScheduleCommand.NAME_DESCRIPTION)
  private String name = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;
  private final boolean enabled;

  private ScheduleSwitchCommand(CliContext context, boolean enabled) {
    this.context = context;
    this.enabled = enabled;
  }

  static CommandLine create(CliContext context, boolean enabled) {
    String command = enabled ? "resume" : "pause";
    CommandLine line = new CommandLine(new ScheduleSwitchCommand(context, enabled));
    line.setCommandName(command);
    line.getCommandSpec()
        .usageMessage()
        .description(
            enabled
                ? "Let a schedule fire again, from now on: what it missed is not made up for."
                : "Stop a schedule from firing. Tasks that it has submitted go on.")
        .footer("", "Example:", "  perdure schedule " + command + " nightly");
    return line;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ScheduleCommand.printChanged(
          context,
          output,
          client.send(
              "PATCH",
              ScheduleCommand.path(name),
              JsonNodeFactory.instance.objectNode().put("enabled", enabled)));
    }
    return Perdure.EXIT_OK;
  }
}
