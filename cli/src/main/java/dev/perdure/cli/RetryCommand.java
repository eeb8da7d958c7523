// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Runs a task again. */
@Command(
    name = "retry",
    description =
        "Make a task that is not claimed yet due, or run a failed or canceled task again.",
    footer = {
      "",
      "Examples:",
      "  perdure retry 8a1c-2f7e-7d3a",
      "  perdure retry 8a1c-2f7e-7d3a --at 2026-01-31T12:00:00Z"
    })
final class RetryCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = IdArguments.TASK_DESCRIPTION)
  private String id = "";

  @Option(names = "--at", paramLabel = "INSTANT", description = "When it is due; now by default.")
  private @Nullable String at;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  RetryCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    JsonNode body = at == null ? null : JsonNodeFactory.instance.objectNode().put("at", at);
    try (PerdureClient client = server.client(context)) {
      ApiResponse response =
          client.send("POST", "/task/" + IdArguments.resolveTask(client, id) + "/retry", body);
      output.printChanged(context, response);
    }
    return Perdure.EXIT_OK;
  }
}
