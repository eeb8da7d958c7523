// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ScheduleText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.DeletedSchedule;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes a schedule. */
@Command(
    name = "rm",
    description = "Delete a schedule and cancel its tasks that have not ended.",
    footer = {
      "",
      "To stop it from firing and keep its tasks: perdure schedule pause NAME",
      "",
      "Example:",
      "  perdure schedule rm nightly"
    })
final class ScheduleRemoveCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = ScheduleCommand.NAME_DESCRIPTION)
  private String name = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ScheduleRemoveCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.send("DELETE", ScheduleCommand.path(name), null);
      if (output.json) {
        context.out().println(response.json());
      } else {
        ScheduleText.deleted(output.writer(context), response.read(DeletedSchedule::of));
      }
    }
    return Perdure.EXIT_OK;
  }
}
