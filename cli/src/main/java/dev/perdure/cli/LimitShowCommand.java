// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.KindLimitText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.KindLimitInfo;
import dev.perdure.client.PerdureClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows the limits of a kind. */
@Command(
    name = "show",
    description = "Show the limits of a kind, and who has set them.",
    footer = {"", "Example:", "  perdure limit show sync"})
final class LimitShowCommand implements Callable<Integer> {

  @Parameters(paramLabel = "KIND", description = LimitCommand.KIND_DESCRIPTION)
  private String kind = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  LimitShowCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.get(LimitCommand.path(kind), Map.of());
      if (output.json) {
        context.out().println(response.json());
      } else {
        KindLimitText.show(
            output.writer(context),
            response.read(KindLimitInfo::of),
            response.serverTime().orElse(context.now()));
      }
    }
    return Perdure.EXIT_OK;
  }
}
