// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TaskInfo;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists tasks. */
@Command(
    name = "tasks",
    description = "List tasks, newest first.",
    footer = {
      "",
      "With --json, each line is a task.",
      "",
      "Examples:",
      "  perdure tasks --status RetryPending,Failure",
      "  perdure tasks --kind send-email --limit 1000 --json"
    })
final class TasksCommand implements Callable<Integer> {

  @Mixin private TaskFilterOptions filter = new TaskFilterOptions();

  @Option(names = "--limit", paramLabel = "N", description = "Show at most N tasks (50).")
  private @Nullable String limit;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  TasksCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    int max = PagedList.limit(limit);
    try (PerdureClient client = server.client(context)) {
      PagedList<TaskInfo> tasks =
          PagedList.read(context, output, client, "/task", filter.query(client), max, TaskInfo::of);
      if (!output.json) {
        TaskText.list(output.writer(context), tasks.entries(), tasks.total(), tasks.now());
      }
    }
    return Perdure.EXIT_OK;
  }
}
