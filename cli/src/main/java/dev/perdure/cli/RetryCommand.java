// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.JsonNodeFactory;

/** Lets a task run again. */
@Command(
    name = "retry",
    description = "Makes a waiting retry due, or lets a failed or canceled task run again.",
    footer = {
      "",
      "Examples:",
      "  perdure retry 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000",
      "  perdure retry 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000 --at 2026-01-31T12:00:00Z"
    })
final class RetryCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = IdArguments.TASK_DESCRIPTION)
  private String id = "";

  @Option(names = "--at", paramLabel = "INSTANT", description = "When, instead of now.")
  private @Nullable String at;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  RetryCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    String body =
        at == null ? null : JsonNodeFactory.instance.objectNode().put("at", at).toString();
    try (PerdureClient perdureClient = server.client(cliContext)) {
      ApiResponse apiResponse =
          perdureClient.send(
              "POST", "/task/" + IdArguments.resolveTask(perdureClient, id) + "/retry", body);
      if (output.json) {
        cliContext.out().println(apiResponse.json());
      } else {
        TaskText.line(
            output.writer(cliContext),
            apiResponse.json(),
            apiResponse.serverTime().orElse(cliContext.now()));
      }
    }
    return Perdure.EXIT_OK;
  }
}
