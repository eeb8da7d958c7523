// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.RetryStatsText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.RetryStats;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows retry statistics. */
@Command(
    name = "stats",
    description = "Show how retries went on the whole server.",
    footer = {"", "Example:", "  perdure stats"})
final class StatsCommand implements Callable<Integer> {

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  StatsCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.get("/retry/stats", Map.of());
      if (output.json) {
        context.out().println(response.json());
      } else {
        RetryStatsText.print(output.writer(context), response.read(RetryStats::of));
      }
    }
    return Perdure.EXIT_OK;
  }
}
