// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one task. */
@Command(
    name = "show",
    description = "Show a task and its attempts.",
    footer = {"", "Example:", "  perdure show 8a1c-2f7e-7d3a"})
final class ShowCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = IdArguments.TASK_DESCRIPTION)
  private String id = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ShowCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.get("/task/" + IdArguments.resolveTask(client, id), Map.of());
      String command = context.commandPrefix();
      output.printTask(
          context, response, (writer, task, now) -> TaskText.show(writer, task, now, command));
    }
    return Perdure.EXIT_OK;
  }
}
