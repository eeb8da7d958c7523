// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.BatchText;
import dev.perdure.client.BatchInfo;
import dev.perdure.client.PerdureClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists batches. */
@Command(
    name = "batches",
    description = "List batches, newest first.",
    footer = {
      "",
      "With --json, each line is a batch.",
      "",
      "Examples:",
      "  perdure batches --state live",
      "  perdure batches --name nightly --status Failure"
    })
final class BatchesCommand implements Callable<Integer> {

  @Option(
      names = "--name",
      paramLabel = "TEXT",
      description = "Only batches whose name, or a task's name, contains this.")
  private @Nullable String name;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only batches with a task whose kind contains this.")
  private @Nullable String kind;

  @Option(
      names = "--status",
      paramLabel = "NAME",
      description = "Only batches with a task in this status.")
  private @Nullable String status;

  @Option(names = "--state", paramLabel = "STATE", description = "live or ended.")
  private @Nullable String state;

  @Option(names = "--created-after", paramLabel = "INSTANT", description = "Only newer batches.")
  private @Nullable String createdAfter;

  @Option(names = "--created-before", paramLabel = "INSTANT", description = "Only older batches.")
  private @Nullable String createdBefore;

  @Option(names = "--limit", paramLabel = "N", description = "Show at most N batches (50).")
  private @Nullable String limit;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  BatchesCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    int max = PagedList.limit(limit);
    try (PerdureClient client = server.client(context)) {
      PagedList<BatchInfo> batches =
          PagedList.read(context, output, client, "/batches", query(), max, BatchInfo::of);
      if (!output.json) {
        BatchText.list(output.writer(context), batches.entries(), batches.total(), batches.now());
      }
    }
    return Perdure.EXIT_OK;
  }

  private Map<String, @Nullable String> query() {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("name", name);
    query.put("kind", kind);
    query.put("status", status);
    query.put("state", state);
    query.put("created_after", createdAfter);
    query.put("created_before", createdBefore);
    return query;
  }
}
