// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Callee;
import dev.perdure.server.Callee.Call;
import dev.perdure.server.Databases;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.Wire.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * The example that the retries were first described with, ten times as fast: two attempts of 30 s
 * fall silent, the next ones follow after 10 s and 20 s, and the third succeeds.
 */
class OrchestratorExampleTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void goes_as_it_was_described(Databases database) throws Exception {
    try (Callee callee = Callee.agreeing();
        TestServer server =
            database.server(folder, Map.of(Settings.WEBHOOK_ALLOW, Callee.ALLOWED))) {
      Answer made =
          server.post(
              "/task",
              """
              [{"id": "import", "name": "Import Data", "kind": "etl", "timeout": 3,
                "retry": {"max_retries": 3, "initial_delay_secs": 1, "backoff_multiplier": 2.0,
                          "max_delay_secs": 12},
                "on_start": {"kind": "Webhook", "params": {"url": "%s", "verb": "Post"}}}]"""
                  .formatted(callee.url("/import")));
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      assertThat(made.header("X-Batch-ID")).isNotEmpty();
      String id = made.json().get(0).get("id").stringValue();

      callee.next();
      callee.next();
      Call third = callee.next();
      Answer end = server.send("PATCH", third.target(), "{\"status\": \"Success\"}");

      assertThat(end.status()).as(end.body()).isEqualTo(200);
      JsonNode task = server.get("/task/" + id).json();
      assertThat(task.get("status").stringValue()).isEqualTo("Success");
      assertThat(task.get("attempt").longValue()).isEqualTo(2);
      JsonNode attempts = task.get("attempts");
      assertThat(attempts).hasSize(3);
      timedOut(attempts.get(0), attempts.get(1), 1_000);
      timedOut(attempts.get(1), attempts.get(2), 2_000);
    }
  }

  private static void timedOut(JsonNode attempt, JsonNode next, long delayMillis) {
    assertThat(attempt.get("failure_kind").stringValue()).isEqualTo("timeout");
    assertThat(attempt.get("delay_ms").longValue()).isEqualTo(delayMillis);
    Duration silent = Duration.between(at(attempt, "started_at"), at(attempt, "ended_at"));
    assertThat(silent).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(30));
    assertThat(at(next, "started_at")).isAfterOrEqualTo(at(attempt, "next_at"));
  }

  private static Instant at(JsonNode attempt, String name) {
    return Instant.parse(attempt.get(name).stringValue());
  }
}
