// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.TaskText;
import dev.perdure.client.ApiException;
import dev.perdure.client.ApiResponse;
import dev.perdure.client.PerdureClient;
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
    description = "Lists tasks, newest first.",
    footer = {
      "",
      "With --json a task a line.",
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
      description = "Only these, with commas: Pending, Running, RetryPending, Failure, ….")
  private @Nullable String status;

  @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind.")
  private @Nullable String kind;

  @Option(names = "--name", paramLabel = "TEXT", description = "Only with this in their names.")
  private @Nullable String name;

  @Option(names = "--batch", paramLabel = "ID", description = "Only of this batch.")
  private @Nullable String batch;

  @Option(
      names = "--failure-kind",
      paramLabel = "KIND",
      description = "Only what failed like this: timeout, http, exception, ….")
  private @Nullable String failureKind;

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description = "Only what was given up for this: exhausted, not_retryable, ….")
  private @Nullable String reason;

  @Option(names = "--created-after", paramLabel = "INSTANT", description = "Only newer ones.")
  private @Nullable String createdAfter;

  @Option(names = "--created-before", paramLabel = "INSTANT", description = "Only older ones.")
  private @Nullable String createdBefore;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many (50).")
  private @Nullable String limit;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  TasksCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    OptionParser optionParser = new OptionParser();
    int most = optionParser.count("--limit", limit, DEFAULT_LIMIT, 1, MAX_LIMIT);
    optionParser.throwIfInvalid();
    try (PerdureClient perdureClient = server.client(cliContext)) {
      list(perdureClient, most);
    }
    return Perdure.EXIT_OK;
  }

  private void list(PerdureClient perdureClient, int most) {
    List<JsonNode> tasks = new ArrayList<>();
    Map<String, @Nullable String> query = query();
    ApiResponse apiResponse = firstPage(perdureClient, query, Math.min(PAGE_SIZE, most));
    int listed = take(apiResponse, most, tasks);
    String after = apiResponse.nextCursor().orElse(null);
    while (after != null && listed < most) {
      query.put("after", after);
      apiResponse = perdureClient.get("/task", query);
      listed += take(apiResponse, most - listed, tasks);
      after = apiResponse.nextCursor().orElse(null);
    }
    if (!output.json) {
      Instant now = apiResponse.serverTime().orElse(cliContext.now());
      TaskText.list(output.writer(cliContext), tasks, apiResponse.total(), now);
    }
  }

  /** A server that allows only smaller pages is asked for those it gives unasked. */
  private static ApiResponse firstPage(
      PerdureClient perdureClient, Map<String, @Nullable String> query, int size) {
    query.put("page_size", Integer.toString(size));
    try {
      return perdureClient.get("/task", query);
    } catch (ApiException e) {
      if (e.problems().stream().noneMatch(fieldError -> fieldError.path().equals("page_size"))) {
        throw e;
      }
      query.remove("page_size");
      return perdureClient.get("/task", query);
    }
  }

  /** Takes so many of them; prints those for programs at once. */
  private int take(ApiResponse apiResponse, int most, List<JsonNode> tasks) {
    List<JsonNode> taken = apiResponse.json().valueStream().limit(most).toList();
    if (output.json) {
      taken.forEach(cliContext.out()::println);
      cliContext.out().flush();
    } else {
      tasks.addAll(taken);
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
