// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.DeliveryText;
import dev.perdure.client.DeliveryInfo;
import dev.perdure.client.PerdureClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists webhook deliveries. */
@Command(
    name = "deliveries",
    description = "List deliveries of webhooks and notifications, newest first.",
    footer = {
      "",
      "With --json, each line is a delivery. Send one again with: perdure redeliver ID",
      "",
      "Examples:",
      "  perdure deliveries --state dead",
      "  perdure deliveries --task 8a1c-2f7e-7d3a"
    })
final class DeliveriesCommand implements Callable<Integer> {

  @Option(names = "--state", paramLabel = "STATE", description = "pending, sent or dead.")
  private @Nullable String state;

  @Option(names = "--task", paramLabel = "ID", description = "Only deliveries of this task.")
  private @Nullable String task;

  @Option(
      names = "--trigger",
      paramLabel = "TRIGGER",
      description = "on_success, on_failure, on_retry, on_cancel, on_finished or notify.")
  private @Nullable String trigger;

  @Option(names = "--limit", paramLabel = "N", description = "Show at most N deliveries (50).")
  private @Nullable String limit;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  DeliveriesCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    int max = PagedList.limit(limit);
    try (PerdureClient client = server.client(context)) {
      Map<String, @Nullable String> query = new LinkedHashMap<>();
      query.put("state", state);
      query.put("task", task == null ? null : IdArguments.resolveTask(client, task));
      query.put("trigger", trigger);
      PagedList<DeliveryInfo> deliveries =
          PagedList.read(context, output, client, "/delivery", query, max, DeliveryInfo::of);
      if (!output.json) {
        DeliveryText.list(
            output.writer(context), deliveries.entries(), deliveries.more(), deliveries.now());
      }
    }
    return Perdure.EXIT_OK;
  }
}
