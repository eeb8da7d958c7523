// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ScheduleText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.ScheduleInfo;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one schedule. */
@Command(
    name = "show",
    description = "Show a schedule: its next and last firings, and the retries under way.",
    footer = {"", "Example:", "  perdure schedule show nightly"})
final class ScheduleShowCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = ScheduleCommand.NAME_DESCRIPTION)
  private String name = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ScheduleShowCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.get(ScheduleCommand.path(name), Map.of());
      if (output.json) {
        context.out().println(response.json());
      } else {
        ScheduleText.show(
            output.writer(context),
            response.read(ScheduleInfo::of),
            response.serverTime().orElse(context.now()),
            context.commandPrefix());
      }
    }
    return Perdure.EXIT_OK;
  }
}
