// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.BatchText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.BatchGraph;
import dev.perdure.client.BatchInfo;
import dev.perdure.client.PerdureClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one batch, and the group of commands that change one. */
@Command(
    name = "batch",
    description = "Show a batch: its statistics, its runs and its graph. Or stop or retry one.",
    synopsisSubcommandLabel = "[COMMAND]",
    footer = {
      "",
      "Examples:",
      "  perdure batch 8a1c-2f7e-7000",
      "  perdure batch stop 8a1c-2f7e-7000",
      "  perdure batch retry 8a1c-2f7e-7000 --new-run"
    })
final class BatchCommand implements Callable<Integer> {

  /** The server does not send the whole graph of a larger batch. */
  private static final long MAX_GRAPH_TASKS = 10_000;

  /** Optional only because a subcommand may follow instead. */
  @Parameters(paramLabel = "ID", arity = "0..1", description = IdArguments.BATCH_DESCRIPTION)
  private @Nullable String id;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  private BatchCommand(CliContext context) {
    this.context = context;
  }

  static CommandLine create(CliContext context) {
    return new CommandLine(new BatchCommand(context))
        .addSubcommand(new BatchStopCommand(context))
        .addSubcommand(new BatchRetryCommand(context));
  }

  @Override
  public Integer call() {
    if (id == null) {
      throw new UsageException("ID", "give the id of a batch (perdure batches lists them)");
    }
    try (PerdureClient client = server.client(context)) {
      String whole = IdArguments.resolveBatch(client, id);
      ApiResponse response = client.get("/batch/" + whole, Map.of());
      if (output.json) {
        context.out().println(response.json());
      } else {
        show(client, response);
      }
    }
    return Perdure.EXIT_OK;
  }

  private void show(PerdureClient client, ApiResponse response) {
    BatchInfo batch = response.read(BatchInfo::of);
    BatchGraph graph =
        batch.totalTasks() > MAX_GRAPH_TASKS
            ? new BatchGraph(List.of(), List.of(), true)
            : client.batches().graph(batch.id());
    BatchText.show(
        output.writer(context),
        batch,
        graph,
        response.serverTime().orElse(context.now()),
        context.commandPrefix());
  }
}
