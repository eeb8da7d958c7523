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
    description = "Shows a task with its attempts.",
    footer = {"", "Example:", "  perdure show 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000"})
final class ShowCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = IdArguments.TASK_DESCRIPTION)
  private String id = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  ShowCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    try (PerdureClient perdureClient = server.client(cliContext)) {
      ApiResponse apiResponse =
          perdureClient.get("/task/" + IdArguments.resolveTask(perdureClient, id), Map.of());
      if (output.json) {
        cliContext.out().println(apiResponse.json());
      } else {
        TaskText.show(
            output.writer(cliContext),
            apiResponse.json(),
            apiResponse.serverTime().orElse(cliContext.now()));
      }
    }
    return Perdure.EXIT_OK;
  }
}
