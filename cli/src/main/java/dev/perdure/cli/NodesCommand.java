// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ClusterText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.ClusterInfo;
import dev.perdure.client.PerdureClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the nodes. */
@Command(
    name = "nodes",
    description = "List the live nodes of the cluster.",
    footer = {"", "Example:", "  perdure nodes"})
final class NodesCommand implements Callable<Integer> {

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  NodesCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.get("/node", Map.of());
      if (output.json) {
        context.out().println(response.json());
      } else {
        ClusterText.print(output.writer(context), response.read(ClusterInfo::of));
      }
    }
    return Perdure.EXIT_OK;
  }
}
