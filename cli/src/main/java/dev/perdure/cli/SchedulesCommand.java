// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.ScheduleText;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.ScheduleInfo;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists schedules. */
@Command(
    name = "schedules",
    description = "List schedules: when they fire, and which retries are under way.",
    footer = {
      "",
      "With --json, each line is a schedule. Everything about one: perdure schedule show NAME",
      "",
      "Examples:",
      "  perdure schedules",
      "  perdure schedules --limit 500"
    })
final class SchedulesCommand implements Callable<Integer> {

  @Option(names = "--limit", paramLabel = "N", description = "Show at most N schedules (50).")
  private @Nullable String limit;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  SchedulesCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    int max = PagedList.limit(limit);
    try (PerdureClient client = server.client(context)) {
      PagedList<ScheduleInfo> schedules =
          PagedList.read(context, output, client, "/schedule", Map.of(), max, ScheduleInfo::of);
      if (!output.json) {
        ScheduleText.list(
            output.writer(context), schedules.entries(), schedules.more(), schedules.now());
      }
    }
    return Perdure.EXIT_OK;
  }
}
