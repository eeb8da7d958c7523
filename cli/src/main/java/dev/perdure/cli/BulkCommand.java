// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.BulkText;
import dev.perdure.client.BulkResult;
import dev.perdure.client.PerdureClient;
import dev.perdure.policy.FieldError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes all tasks that match a filter. */
@Command(
    name = "bulk",
    description = "Cancel, pause, resume or retry all tasks that match a filter.",
    footer = {
      "",
      "Give at least one filter. --dry-run only counts.",
      "",
      "Examples:",
      "  perdure bulk retry --status Failure --kind send-email --dry-run",
      "  perdure bulk retry --error 9f2c41d07be3a815 --spread 10m",
      "  perdure bulk cancel --batch 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000"
    })
final class BulkCommand implements Callable<Integer> {

  private static final List<String> ACTIONS = List.of("cancel", "pause", "resume", "retry");

  @Parameters(paramLabel = "ACTION", description = "cancel, pause, resume or retry.")
  private String action = "";

  @Option(names = "--dry-run", description = "Change nothing; only count.")
  private boolean dryRun;

  @Option(
      names = "--spread",
      paramLabel = "TIME",
      description = "With retry: spread the tasks evenly over this time, such as 10m.")
  private @Nullable String spread;

  @Mixin private TaskFilterOptions filter = new TaskFilterOptions();

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  BulkCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (!ACTIONS.contains(action)) {
      throw new UsageException(
          "ACTION",
          "must be cancel, pause, resume or retry, not '%s'"
              .formatted(FieldError.sanitize(action)));
    }
    if (spread != null && !action.equals("retry")) {
      throw new UsageException("--spread", "only retries can be spread: leave it out");
    }
    if (filter.isEmpty()) {
      throw new UsageException("", "give at least one filter, such as --status or --kind");
    }
    BulkResult total = new BulkResult(0, 0, 0, null);
    try (PerdureClient client = server.client(context)) {
      Map<String, @Nullable String> query = filter.query(client);
      String after = null;
      do {
        BulkResult part =
            client.send("POST", "/task/bulk", body(query, after)).read(BulkResult::of);
        total = total.plus(part);
        after = part.next();
      } while (after != null);
    }
    if (output.json) {
      context.out().println(CliJson.bulk(action, dryRun, total));
    } else {
      BulkText.print(output.writer(context), action, dryRun, total);
    }
    return Perdure.EXIT_OK;
  }

  private ObjectNode body(Map<String, @Nullable String> query, @Nullable String after) {
    ObjectNode body =
        JsonNodeFactory.instance.objectNode().put("action", action).put("dry_run", dryRun);
    if (spread != null) {
      body.put("spread", spread);
    }
    ObjectNode filters = body.putObject("filter");
    query.forEach(
        (name, value) -> {
          if (value != null) {
            filters.put(name, value);
          }
        });
    return after == null ? body : body.put("after", after);
  }
}
