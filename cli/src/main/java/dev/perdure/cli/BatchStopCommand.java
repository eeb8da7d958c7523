// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.BatchText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.BatchStopResponse;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Stops a batch. */
@Command(
    name = "stop",
    description = "Cancel every task of a batch that has not ended, even while it runs.",
    footer = {"", "Example:", "  perdure batch stop 8a1c-2f7e-7000"})
final class BatchStopCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = IdArguments.BATCH_DESCRIPTION)
  private String id = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  BatchStopCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      String whole = IdArguments.resolveBatch(client, id);
      ApiResponse response = client.send("DELETE", "/batch/" + whole, null);
      if (output.json) {
        context.out().println(response.json());
      } else {
        BatchText.stopped(output.writer(context), response.read(BatchStopResponse::of));
      }
    }
    return Perdure.EXIT_OK;
  }
}
