// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.BatchText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.BatchRetryResponse;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Retries a batch. */
@Command(
    name = "retry",
    description = "Run the failed tasks of a batch again, or the whole batch.",
    footer = {
      "",
      "The batch must have ended.",
      "",
      "Examples:",
      "  perdure batch retry 8a1c-2f7e-7000",
      "  perdure batch retry 8a1c-2f7e-7000 --new-run"
    })
final class BatchRetryCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = IdArguments.BATCH_DESCRIPTION)
  private String id = "";

  @Option(names = "--new-run", description = "Run all tasks again, as a new run of the batch.")
  private boolean newRun;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  BatchRetryCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    JsonNode body = newRun ? JsonNodeFactory.instance.objectNode().put("run", "new") : null;
    try (PerdureClient client = server.client(context)) {
      String whole = IdArguments.resolveBatch(client, id);
      ApiResponse response = client.send("POST", "/batch/" + whole + "/retry", body);
      if (output.json) {
        context.out().println(response.json());
      } else {
        BatchText.retried(
            output.writer(context),
            response.read(BatchRetryResponse::of),
            newRun,
            response.serverTime().orElse(context.now()));
      }
    }
    return Perdure.EXIT_OK;
  }
}
