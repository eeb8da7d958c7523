// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.KindLimitText;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.KindLimitInfo;
import dev.perdure.client.PerdureClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Removes the limits of a kind. */
@Command(
    name = "rm",
    description = "Remove the limits of a kind; those of single tasks stay.",
    footer = {
      "",
      "Limits from perdure.yaml or from code come back when a node starts that has them.",
      "",
      "Example:",
      "  perdure limit rm sync"
    })
final class LimitRemoveCommand implements Callable<Integer> {

  @Parameters(paramLabel = "KIND", description = LimitCommand.KIND_DESCRIPTION)
  private String kind = "";

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  LimitRemoveCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (PerdureClient client = server.client(context)) {
      ApiResponse response = client.send("DELETE", LimitCommand.path(kind), null);
      if (output.json) {
        context.out().println(response.json());
      } else {
        KindLimitText.removed(output.writer(context), response.read(KindLimitInfo::of));
      }
    }
    return Perdure.EXIT_OK;
  }
}
