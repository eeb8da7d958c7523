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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Marks a failed task as succeeded. */
@Command(
    name = "resolve",
    description = "Mark a failed task as succeeded, so that the tasks that depend on it go on.",
    footer = {
      "",
      "Examples:",
      "  perdure resolve 8a1c-2f7e-7d3a --reason 'imported by hand'",
      "  perdure resolve 8a1c-2f7e-7d3a --reason 'imported by hand' --result '{\"rows\": 3}'"
    })
final class ResolveCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = IdArguments.TASK_DESCRIPTION)
  private String id = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why, for the audit log and the task's history.")
  private String reason = "";

  @Option(
      names = "--result",
      paramLabel = "JSON",
      description = "The task's result, which the tasks after it can read.")
  private @Nullable String result;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  ResolveCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    ObjectNode body = body();
    try (PerdureClient client = server.client(context)) {
      ApiResponse response =
          client.send("POST", "/task/" + IdArguments.resolveTask(client, id) + "/resolve", body);
      output.printChanged(context, response);
    }
    return Perdure.EXIT_OK;
  }

  private ObjectNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("reason", reason);
    if (result != null) {
      try {
        body.set(
            "result",
            JsonMapper.shared()
                .reader()
                .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .readTree(result));
      } catch (JacksonException e) {
        throw new UsageException("--result", "is not JSON: " + e.getOriginalMessage());
      }
      if (body.path("result").isMissingNode()) {
        throw new UsageException("--result", "must not be empty");
      }
    }
    return body;
  }
}
