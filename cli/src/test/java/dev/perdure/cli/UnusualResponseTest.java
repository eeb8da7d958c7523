// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.ServerCommandFixture.assertRefused;
import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How commands handle responses that a server rarely gives. */
class UnusualResponseTest {

  private static final String ID = "00000000-0000-7000-8000-000000000000";

  private static CliResult submit(ForeignServer server) {
    return new TestCli().stdin("{\"kind\": \"a\"}").run("submit", "-", "--url", server.url());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancel", "pause", "resume", "retry"})
  void a_change_that_cannot_be_read_back_is_a_success(String command) throws IOException {
    try (ForeignServer server = ForeignServer.json(200, "{\"id\": \"%s\"}".formatted(ID))) {
      CliResult result = perdure(command, ID, "--url", server.url());

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out())
          .isEqualTo("task %s: done, but it cannot be read now\n".formatted(ID));
    }
  }

  @Test
  void a_submission_that_cannot_be_read_back_is_a_success() throws IOException {
    try (ForeignServer server = ForeignServer.json(201, "[{\"id\": \"%s\"}]".formatted(ID))) {
      CliResult result = submit(server);

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out()).isEqualTo("1 task was submitted, but cannot be read now\n");
    }
  }

  @Test
  void a_submission_that_may_have_been_accepted_can_be_repeated_by_its_key() throws IOException {
    try (ForeignServer server =
        ForeignServer.json(503, "{\"title\": \"x\", \"detail\": \"who knows\"}")) {
      assertRefused(submit(server), 2, "cannot connect to ", "add --idempotency-key ");
    }
  }

  @Test
  void a_submission_to_another_program_was_not_accepted() throws IOException {
    try (ForeignServer server = ForeignServer.json(404, "{}")) {
      CliResult result = submit(server);

      assertRefused(result, 2, "answered 404: is it a Perdure server?");
      assertThat(result.err()).doesNotContain("--idempotency-key");
    }
  }

  @Test
  void a_rejected_key_is_reported_with_its_origin() throws IOException {
    String revoked = "{\"title\": \"Unauthorized\", \"detail\": \"the key was revoked\"}";
    String origin = "the key was revoked (the key comes from --key or PERDURE_KEY)";
    try (ForeignServer server = ForeignServer.json(401, revoked)) {
      assertRefused(perdure("tasks", "--url", server.url(), "--key", "pk_1"), 2, origin);
    }
    try (ForeignServer server = ForeignServer.json(401, revoked)) {
      TestCli shell = new TestCli().environment("PERDURE_KEY", "pk_1");
      assertRefused(shell.run("key", "list", "--url", server.url()), 2, origin);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tasks", "show abcd-abcd", "watch", "key list"})
  void an_object_is_not_an_empty_list(String command) throws IOException {
    try (ForeignServer server = ForeignServer.json(200, "{}")) {
      CliResult result = perdure((command + " --url " + server.url()).split(" ", -1));

      assertRefused(result, 2, "the response cannot be read: it is not an array");
    }
  }

  @Test
  void an_unknown_status_is_shown_as_the_server_calls_it() throws IOException {
    String task =
        """
        [{"id": "ID", "batch_id": "ID", "run": 1, "kind": "a", "status": "Dreaming", "attempt": 0,
          "epoch": 0, "priority": 0, "paused": false, "losses": 0, "created_at": "NOW",
          "run_at": "NOW", "last_updated": "NOW"}]"""
            .replace("ID", ID)
            .replace("NOW", "2026-01-01T00:00:00Z");
    try (ForeignServer server = ForeignServer.json(200, task)) {
      assertThat(perdure("tasks", "--url", server.url()).out()).contains("Dreaming");
    }
  }

  @Test
  void a_time_that_cannot_be_read_is_left_out() throws IOException {
    String key =
        "[{\"id\": \"k1\", \"name\": \"ops\", \"live\": true, \"created_at\": \"yesterday\"}]";
    try (ForeignServer server = ForeignServer.json(200, key)) {
      assertThat(perdure("key", "list", "--url", server.url()).out()).contains("k1", "ops", "live");
    }
    try (ForeignServer server = ForeignServer.json(200, "[{\"ended_at\": \"yesterday\"}]")) {
      assertRefused(perdure("watch", "--url", server.url()), 2, "the response cannot be read");
    }
  }
}
