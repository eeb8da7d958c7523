// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.server.cli.client.Answer;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.client.RefusedException;
import dev.perdure.server.cli.text.TaskText;
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

  private static final int USUAL = 50;
  private static final int MOST = 1_000_000;
  private static final int PAGE = 1_000;

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

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  TasksCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    Given given = new Given();
    int most = given.count("--limit", limit, USUAL, 1, MOST);
    given.requireRight();
    try (Client client = server.client(shell)) {
      list(client, most);
    }
    return Perdure.DONE;
  }

  private void list(Client client, int most) {
    List<JsonNode> tasks = new ArrayList<>();
    Map<String, @Nullable String> query = query();
    Answer answer = first(client, query, Math.min(PAGE, most));
    int listed = take(answer, most, tasks);
    String after = answer.next().orElse(null);
    while (after != null && listed < most) {
      query.put("after", after);
      answer = client.get("/task", query);
      listed += take(answer, most - listed, tasks);
      after = answer.next().orElse(null);
    }
    if (!output.json) {
      Instant now = answer.date().orElse(shell.now());
      TaskText.list(output.page(shell), tasks, answer.total(), now);
    }
  }

  /** A server that allows only smaller pages is asked for those it gives unasked. */
  private static Answer first(Client client, Map<String, @Nullable String> query, int size) {
    query.put("page_size", Integer.toString(size));
    try {
      return client.get("/task", query);
    } catch (RefusedException e) {
      if (e.problems().stream().noneMatch(problem -> problem.path().equals("page_size"))) {
        throw e;
      }
      query.remove("page_size");
      return client.get("/task", query);
    }
  }

  /** Takes so many of them; prints those for programs at once. */
  private int take(Answer answer, int most, List<JsonNode> tasks) {
    List<JsonNode> taken = answer.json().valueStream().limit(most).toList();
    if (output.json) {
      taken.forEach(shell.out()::println);
      shell.out().flush();
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
