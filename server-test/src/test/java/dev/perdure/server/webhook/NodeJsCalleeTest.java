// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.NodeJs;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** A callee in Node.js, which verifies signatures with its own crypto library. */
@Tag("slow")
class NodeJsCalleeTest {

  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final Path SCRIPT =
      Path.of("src/test/resources/dev/perdure/server/webhook/callee.mjs");

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void fails_twice_and_succeeds_the_third_time(TestDatabase database) throws Exception {
    Process callee = NodeJs.run(SCRIPT, SECRET);
    try (TestServer server =
            database.server(
                folder,
                Map.of(
                    WebhookSettings.WEBHOOK_ALLOW,
                    WebhookReceiver.ALLOWED,
                    WebhookSettings.WEBHOOK_SECRET,
                    SECRET));
        BufferedReader output = callee.inputReader()) {
      String url = "http://127.0.0.1:" + output.readLine() + "/import";
      TestApiClient client = new TestApiClient(server);
      String id =
          client.submit(
              """
              {"id": "import", "name": "Import Data", "kind": "etl", "expected_count": 30,
               "retry": {"max_retries": 3, "backoff": {"type": "immediate"}},
               "on_start": {"kind": "Webhook", "params": {"url": "%s", "verb": "Post"}}}"""
                  .formatted(url));
      for (int i = 0; i < 3; i++) {
        assertThat(output.readLine()).isEqualTo("settled 200");
      }

      JsonNode task = client.show(id);
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("attempt").longValue()).isEqualTo(2);
      assertThat(task.get("success").longValue()).isEqualTo(30);
      assertThat(task.get("attempts").get(1).get("message").stringValue()).isEqualTo("attempt 2");
    } finally {
      callee.destroyForcibly().waitFor();
    }
  }

  @Test
  void a_report_that_is_never_answered_is_given_up() throws Exception {
    Process callee = NodeJs.runFast(SCRIPT);
    // Ends the wait for a line that never comes, which no interrupt would end.
    CompletableFuture.delayedExecutor(2, TimeUnit.MINUTES).execute(callee::destroyForcibly);
    try (WebhookReceiver server = WebhookReceiver.replyingWith(call -> Reply.of(503));
        BufferedReader output = callee.inputReader();
        HttpClient client = HttpClient.newHttpClient()) {
      String url = "http://127.0.0.1:" + output.readLine() + "/?handle=" + server.url("/task/7");
      client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding());

      assertThat(output.readLine()).isEqualTo("no answer to 10 reports, so the attempt times out");
      assertThat(server.count()).as("progress and reports").isEqualTo(11);
    } finally {
      callee.destroyForcibly().waitFor();
    }
  }
}
