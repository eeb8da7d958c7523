// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.client.Answer;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.text.TaskText;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one task. */
@Command(
    name = "show",
    description = "Shows a task with its attempts.",
    footer = {"", "Example:", "  perdure show 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000"})
final class ShowCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = Ids.TASK)
  private String id = "";

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  ShowCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    try (Client client = server.client(shell)) {
      Answer answer = client.get("/task/" + Ids.task(client, id), Map.of());
      if (output.json) {
        shell.out().println(answer.json());
      } else {
        TaskText.show(output.page(shell), answer.json(), answer.date().orElse(shell.now()));
      }
    }
    return Perdure.DONE;
  }
}
