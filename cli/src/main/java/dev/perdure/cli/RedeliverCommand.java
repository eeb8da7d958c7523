// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.DeliveryText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.DeliveryInfo;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Sends a webhook delivery again. */
@Command(
    name = "redeliver",
    description = "Send a webhook delivery again that was sent or given up.",
    footer = {"", "Example:", "  perdure redeliver 8a1c-2f7e-7d3a"})
final class RedeliverCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "ID",
      description = "The delivery's id, whole or as perdure deliveries shows it.")
  private String id = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  RedeliverCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      String whole = IdArguments.resolveDelivery(client, id);
      ApiResponse response = client.send("POST", "/delivery/" + whole + "/redeliver", null);
      if (output.json) {
        context.out().println(response.json());
      } else if (response.isIdOnly()) {
        output.writer(context).paragraph("delivery %s will be sent again".formatted(whole));
      } else {
        DeliveryText.line(output.writer(context), response.read(DeliveryInfo::of));
      }
    }
    return Perdure.EXIT_OK;
  }
}
