// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.client.ApiException;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TaskInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

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

  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 1_000_000;
  private static final int PAGE_SIZE = 1_000;

  @Option(
      names = "--status",
      paramLabel = "NAME",
      description =
          "Comma-separated, as shown: Pending, Running, RetryPending, Paused, Parked, Failure, ….")
  private @Nullable String status;

  @Option(names = "--kind", paramLabel = "KIND", description = "Only tasks of this kind.")
  private @Nullable String kind;

  @Option(
      names = "--name",
      paramLabel = "TEXT",
      description = "Only tasks whose name contains this.")
  private @Nullable String name;

  @Option(names = "--batch", paramLabel = "ID", description = "Only tasks of this batch.")
  private @Nullable String batch;

  @Option(
      names = "--failure-kind",
      paramLabel = "KIND",
      description = "Only tasks that failed with timeout, http, exception, ….")
  private @Nullable String failureKind;

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description = "Only tasks given up because exhausted, not_retryable, ….")
  private @Nullable String reason;

  @Option(names = "--created-after", paramLabel = "INSTANT", description = "Only newer tasks.")
  private @Nullable String createdAfter;

  @Option(names = "--created-before", paramLabel = "INSTANT", description = "Only older tasks.")
  private @Nullable String createdBefore;

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
    OptionParser parser = new OptionParser();
    int max = parser.count("--limit", limit, DEFAULT_LIMIT, 1, MAX_LIMIT);
    parser.throwIfInvalid();
    try (PerdureClient client = server.client(context)) {
      list(client, max);
    }
    return Perdure.EXIT_OK;
  }

  private void list(PerdureClient client, int max) {
    List<TaskInfo> tasks = new ArrayList<>();
    Map<String, @Nullable String> query = query();
    ApiResponse response = firstPage(client, query, Math.min(PAGE_SIZE, max));
    int listed = take(response, max, tasks);
    String after = response.nextCursor().orElse(null);
    while (after != null && listed < max) {
      query.put("after", after);
      response = client.get("/task", query);
      listed += take(response, max - listed, tasks);
      after = response.nextCursor().orElse(null);
    }
    if (!output.json) {
      Instant now = response.serverTime().orElse(context.now());
      TaskText.list(output.writer(context), tasks, response.total().orElse(0), now);
    }
  }

  /** If the server does not allow pages of this size, asks for pages of its default size. */
  private static ApiResponse firstPage(
      PerdureClient client, Map<String, @Nullable String> query, int size) {
    query.put("page_size", Integer.toString(size));
    try {
      return client.get("/task", query);
    } catch (ApiException e) {
      if (e.errors().stream().noneMatch(error -> error.path().equals("page_size"))) {
        throw e;
      }
      query.remove("page_size");
      return client.get("/task", query);
    }
  }

  /** Takes at most this many tasks from a page; with --json it prints them at once. */
  private int take(ApiResponse response, int max, List<TaskInfo> tasks) {
    List<JsonNode> taken = response.page(task -> task).items().stream().limit(max).toList();
    if (output.json) {
      taken.forEach(context.out()::println);
      context.out().flush();
    } else {
      tasks.addAll(response.page(TaskInfo::of).items().subList(0, taken.size()));
    }
    return taken.size();
  }

  private Map<String, @Nullable String> query() {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("status", status);
    query.put("kind", kind);
    query.put("name", name);
    query.put("batch_id", batch);
    query.put("failure_kind", failureKind);
    query.put("give_up_reason", reason);
    query.put("created_after", createdAfter);
    query.put("created_before", createdBefore);
    return query;
  }
}
