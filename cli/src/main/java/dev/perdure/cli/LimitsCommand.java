// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.LimitText;
import dev.perdure.client.LimitInfo;
import dev.perdure.client.PerdureClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists limits. */
@Command(
    name = "limits",
    description = "List the limits of tasks and kinds: what is in use, and what waits.",
    footer = {
      "",
      "A limit that counts all tasks was set for the kind: perdure limit show KIND. The others count"
          + " the tasks that have its rule.",
      "",
      "With --json, each line is a limit. Why a task waits: perdure show ID",
      "",
      "Examples:",
      "  perdure limits",
      "  perdure limits --kind sync"
    })
final class LimitsCommand implements Callable<Integer> {

  @Option(names = "--kind", paramLabel = "KIND", description = "Only limits on this kind.")
  private @Nullable String kind;

  @Option(names = "--limit", paramLabel = "N", description = "Show at most N limits (50).")
  private @Nullable String limit;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  LimitsCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    int max = PagedList.limit(limit);
    try (PerdureClient client = server.client(context)) {
      Map<String, @Nullable String> query = new LinkedHashMap<>();
      query.put("kind", kind);
      PagedList<LimitInfo> limits =
          PagedList.read(context, output, client, "/limit", query, max, LimitInfo::of);
      if (!output.json) {
        LimitText.list(output.writer(context), limits.entries(), limits.more(), limits.now());
      }
    }
    return Perdure.EXIT_OK;
  }
}
