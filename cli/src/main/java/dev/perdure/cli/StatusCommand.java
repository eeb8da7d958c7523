// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.OverviewText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.OverviewInfo;
import dev.perdure.client.PerdureClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what is wrong on the server. */
@Command(
    name = "status",
    description = "Show what is wrong on the server and what it does.",
    footer = {
      "",
      "Exit codes: 0 nothing serious, 1 trouble, 2 no answer.",
      "",
      "Example:",
      "  perdure status"
    })
final class StatusCommand implements Callable<Integer> {

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  StatusCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.get("/overview", Map.of());
      OverviewInfo overview = response.read(OverviewInfo::of);
      if (output.json) {
        context.out().println(response.json());
      } else {
        OverviewText.print(output.writer(context), overview);
      }
      return overview.hasTrouble() ? Perdure.EXIT_NEGATIVE : Perdure.EXIT_OK;
    }
  }
}
