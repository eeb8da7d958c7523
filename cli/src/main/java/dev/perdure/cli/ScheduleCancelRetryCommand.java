// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ScheduleText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Cancels the retries of a schedule. */
@Command(
    name = "cancel-retry",
    description = "Cancel the retries under way. The schedule goes on firing.",
    footer = {
      "",
      "With TASK, the exit code is 1 if that task had no retry under way.",
      "",
      "Examples:",
      "  perdure schedule cancel-retry nightly",
      "  perdure schedule cancel-retry nightly 8a1c-2f7e-7d3a"
    })
final class ScheduleCancelRetryCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NAME", description = ScheduleCommand.NAME_DESCRIPTION)
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TASK",
      description = "Only this task: its id, whole or as perdure schedule show shows it.")
  private @Nullable String task;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ScheduleCancelRetryCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    String path = ScheduleCommand.path(name) + "/retry";
    try (PerdureClient client = server.client(context)) {
      String query = task == null ? "" : "?task=" + IdArguments.resolveTask(client, task);
      ApiResponse response = client.send("DELETE", path + query, null);
      long canceled = response.read(json -> json.required("canceled").asLong());
      if (output.json) {
        context.out().println(response.json());
      } else {
        ScheduleText.retriesCanceled(output.writer(context), name, canceled);
      }
      return task != null && canceled == 0 ? Perdure.EXIT_NEGATIVE : Perdure.EXIT_OK;
    }
  }
}
