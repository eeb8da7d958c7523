// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ScheduleText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.ManualFiring;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Fires a schedule by hand. */
@Command(
    name = "trigger",
    description = "Fire a schedule now, also when it is paused or busy.",
    footer = {"", "Example:", "  perdure schedule trigger nightly"})
final class ScheduleTriggerCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = ScheduleCommand.NAME_DESCRIPTION)
  private String name = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ScheduleTriggerCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.send("POST", ScheduleCommand.path(name) + "/trigger", null);
      if (output.json) {
        context.out().println(response.json());
      } else {
        ScheduleText.triggered(
            output.writer(context), name, response.read(ManualFiring::of), context.commandPrefix());
      }
    }
    return Perdure.EXIT_OK;
  }
}
