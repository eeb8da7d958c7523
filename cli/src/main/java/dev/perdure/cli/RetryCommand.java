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
import tools.jackson.databind.node.ObjectNode;

/** Runs a task again. */
@Command(
    name = "retry",
    description =
        "Make a task that is not claimed yet due, or run a failed or canceled task again.",
    footer = {
      "",
      "Examples:",
      "  perdure retry 8a1c-2f7e-7d3a",
      "  perdure retry 8a1c-2f7e-7d3a --at 2026-01-31T12:00:00Z",
      "  perdure retry 8a1c-2f7e-7d3a --ignore-dependencies"
    })
final class RetryCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = IdArguments.TASK_DESCRIPTION)
  private String id = "";

  @Option(names = "--at", paramLabel = "INSTANT", description = "When it is due; now by default.")
  private @Nullable String at;

  @Option(
      names = "--ignore-dependencies",
      description = "Run it although a task that it depends on has failed.")
  private boolean ignoreDependencies;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  RetryCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response =
          client.send("POST", "/task/" + IdArguments.resolveTask(client, id) + "/retry", body());
      output.printChanged(context, response);
    }
    return Perdure.EXIT_OK;
  }

  private @Nullable JsonNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (at != null) {
      body.put("at", at);
    }
    if (ignoreDependencies) {
      body.put("ignore_dependencies", true);
    }
    return body.isEmpty() ? null : body;
  }
}
