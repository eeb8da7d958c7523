// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ChannelText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.ChannelInfo;
import dev.perdure.client.PerdureClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the channels for notifications. */
@Command(
    name = "list",
    description = "List the channels of the server: their names and types.",
    footer = {"", "With --json, each line is a channel.", "", "Example:", "  perdure channel list"})
final class ChannelListCommand implements Callable<Integer> {

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ChannelListCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.get("/channel", Map.of());
      if (output.json) {
        response.json().forEach(context.out()::println);
      } else {
        ChannelText.list(output.writer(context), response.page(ChannelInfo::of).items());
      }
    }
    return Perdure.EXIT_OK;
  }
}
