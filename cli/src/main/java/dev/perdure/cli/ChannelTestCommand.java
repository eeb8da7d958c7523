// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ChannelText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.ChannelTestResult;
import dev.perdure.client.PerdureClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Sends a test message to a channel. */
@Command(
    name = "test",
    description = "Send a test message to a channel, and say whether the channel accepted it.",
    footer = {
      "",
      "Exits with 1 if the channel does not exist or did not accept the message.",
      "",
      "Example:",
      "  perdure channel test ops"
    })
final class ChannelTestCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = "The name of the channel.")
  private String name = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ChannelTestCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (name.isEmpty()) {
      throw new UsageException("NAME", "must not be empty");
    }
    try (PerdureClient client = server.client(context)) {
      String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
      ApiResponse response = client.send("POST", "/channel/" + encoded + "/test", null);
      ChannelTestResult result = response.read(ChannelTestResult::of);
      if (output.json) {
        context.out().println(response.json());
      } else {
        ChannelText.tested(output.writer(context), result);
      }
      return result.sent() ? Perdure.EXIT_OK : Perdure.EXIT_NEGATIVE;
    }
  }
}
