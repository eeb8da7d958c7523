// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Does to a task what can be said in one word. */
@Command
final class TaskActionCommand implements Callable<Integer> {

  /** What can be done. */
  enum TaskAction {
    CANCEL("cancel", "DELETE", "/task/", "Ends a task for good, also one that is running."),
    PAUSE("pause", "PATCH", "/task/pause/", "Holds a task back until it is resumed."),
    RESUME("resume", "PATCH", "/task/resume/", "Lets a paused task go on.");

    private final String commandName;
    private final String method;
    private final String path;
    private final String description;

    TaskAction(String word, String method, String path, String description) {
      this.commandName = word;
      this.method = method;
      this.path = path;
      this.description = description;
    }
  }

  @Parameters(paramLabel = "ID", description = IdArguments.TASK_DESCRIPTION)
  private String id = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;
  private final TaskAction action;

  private TaskActionCommand(CliContext cliContext, TaskAction taskAction) {
    this.cliContext = cliContext;
    this.action = taskAction;
  }

  static CommandLine create(CliContext cliContext, TaskAction taskAction) {
    CommandLine line = new CommandLine(new TaskActionCommand(cliContext, taskAction));
    line.setCommandName(taskAction.commandName);
    line.getCommandSpec()
        .usageMessage()
        .description(taskAction.description)
        .footer(
            "",
            "Example:",
            "  perdure " + taskAction.commandName + " 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000");
    return line;
  }

  @Override
  public Integer call() {
    try (PerdureClient perdureClient = server.client(cliContext)) {
      ApiResponse apiResponse =
          perdureClient.send(
              action.method, action.path + IdArguments.resolveTask(perdureClient, id), null);
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
