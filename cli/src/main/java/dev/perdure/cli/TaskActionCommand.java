// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Cancels, pauses or resumes a task. */
@Command
final class TaskActionCommand implements Callable<Integer> {

  /** The action, with its route. */
  enum TaskAction {
    CANCEL("cancel", "DELETE", "/task/", "Cancel a task, even while it runs."),
    PAUSE("pause", "PATCH", "/task/pause/", "Pause a task until it is resumed."),
    RESUME("resume", "PATCH", "/task/resume/", "Resume a paused or parked task.");

    private final String commandName;
    private final String method;
    private final String path;
    private final String description;

    TaskAction(String commandName, String method, String path, String description) {
      this.commandName = commandName;
      this.method = method;
      this.path = path;
      this.description = description;
    }
  }

  @Parameters(paramLabel = "ID", description = IdArguments.TASK_DESCRIPTION)
  private String id = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;
  private final TaskAction action;

  private TaskActionCommand(CliContext context, TaskAction action) {
    this.context = context;
    this.action = action;
  }

  static CommandLine create(CliContext context, TaskAction action) {
    CommandLine line = new CommandLine(new TaskActionCommand(context, action));
    line.setCommandName(action.commandName);
    line.getCommandSpec()
        .usageMessage()
        .description(action.description)
        .footer("", "Example:", "  perdure " + action.commandName + " 8a1c-2f7e-7d3a");
    return line;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response =
          client.send(action.method, action.path + IdArguments.resolveTask(client, id), null);
      output.printChanged(context, response);
    }
    return Perdure.EXIT_OK;
  }
}
