// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server that allows only small pages. */
class SmallPagesTest {

  private static final int TASKS = 10;

  @TempDir private Path folder;
  private TestServer server;

  @BeforeEach
  void start() {
    server =
        TestServer.in(
            folder, Map.of(Settings.PAGINATION_MAX, "4", Settings.PAGINATION_DEFAULT, "3"));
    String tasks = String.join(",", Collections.nCopies(TASKS, "{\"kind\": \"mail\"}"));
    shell().stdin("[" + tasks + "]").run("submit", "-");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private TestCli shell() {
    return new TestCli().environment("PERDURE_URL", server.url().toString());
  }

  @Test
  void tasks_lists_every_task_once() {
    CliResult result = shell().run("tasks", "--json");

    assertThat(result.code()).as(result.err()).isZero();
    List<String> ids = result.json().stream().map(SmallPagesTest::id).toList();
    assertThat(ids).hasSize(TASKS).doesNotHaveDuplicates();
  }

  private static String id(JsonNode task) {
    return task.get("id").stringValue();
  }

  @Test
  void tasks_lists_no_more_than_the_limit() {
    assertThat(shell().run("tasks", "--json", "--limit", "2").json()).hasSize(2);
    assertThat(shell().run("tasks", "--json", "--limit", "8").json()).hasSize(8);
    assertThat(shell().run("tasks", "--limit", "8").out()).contains("8 of 10");
  }

  @Test
  void other_invalid_parameters_are_reported() {
    CliResult result = shell().run("tasks", "--status", "Lost");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("status");
  }

  @Test
  void watch_counts_every_task() throws IOException {
    String batch = shell().run("tasks", "--json").json().getFirst().get("batch_id").stringValue();
    server.post("/task/bulk", "{\"action\": \"cancel\", \"filter\": {\"kind\": \"mail\"}}");

    CliResult result = shell().run("watch", batch);

    assertThat(result.out()).as(result.err()).contains("10 of 10 ended: 10 Canceled");
  }
}
