// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.client.Answer;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.text.TaskText;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Does to a task what can be said in one word. */
@Command
final class ActCommand implements Callable<Integer> {

  /** What can be done. */
  enum Act {
    CANCEL("cancel", "DELETE", "/task/", "Ends a task for good, also one that is running."),
    PAUSE("pause", "PATCH", "/task/pause/", "Holds a task back until it is resumed."),
    RESUME("resume", "PATCH", "/task/resume/", "Lets a paused task go on.");

    private final String word;
    private final String method;
    private final String path;
    private final String description;

    Act(String word, String method, String path, String description) {
      this.word = word;
      this.method = method;
      this.path = path;
      this.description = description;
    }
  }

  @Parameters(paramLabel = "ID", description = Ids.TASK)
  private String id = "";

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;
  private final Act act;

  private ActCommand(Shell shell, Act act) {
    this.shell = shell;
    this.act = act;
  }

  static CommandLine create(Shell shell, Act act) {
    CommandLine line = new CommandLine(new ActCommand(shell, act));
    line.setCommandName(act.word);
    line.getCommandSpec()
        .usageMessage()
        .description(act.description)
        .footer("", "Example:", "  perdure " + act.word + " 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000");
    return line;
  }

  @Override
  public Integer call() {
    try (Client client = server.client(shell)) {
      Answer answer = client.send(act.method, act.path + Ids.task(client, id), null);
      if (output.json) {
        shell.out().println(answer.json());
      } else {
        TaskText.line(output.page(shell), answer.json(), answer.date().orElse(shell.now()));
      }
    }
    return Perdure.DONE;
  }
}
