// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.client.Answer;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.text.TaskText;
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

  @Parameters(paramLabel = "ID", description = Ids.TASK)
  private String id = "";

  @Option(names = "--at", paramLabel = "INSTANT", description = "When, instead of now.")
  private @Nullable String at;

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  RetryCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    String body =
        at == null ? null : JsonNodeFactory.instance.objectNode().put("at", at).toString();
    try (Client client = server.client(shell)) {
      Answer answer = client.send("POST", "/task/" + Ids.task(client, id) + "/retry", body);
      if (output.json) {
        shell.out().println(answer.json());
      } else {
        TaskText.line(output.page(shell), answer.json(), answer.date().orElse(shell.now()));
      }
    }
    return Perdure.DONE;
  }
}
