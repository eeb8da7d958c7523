// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.ServerProcess;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.ReceivedCall;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Fault: on_start is sent again, and the callee of the first call can no longer settle. */
class Fault24ResentStartTest {

  @TempDir private Path folder;

  /** The first server stops before the callee responds. */
  @ParameterizedTest
  @EnumSource
  void a_callee_that_ignores_the_repetition_can_still_settle(TestDatabase kind) throws Exception {
    Map<Setting<?>, String> settings =
        Map.of(
            WebhookSettings.WEBHOOK_ALLOW,
            WebhookReceiver.ALLOWED,
            Settings.SHUTDOWN_TIMEOUT,
            "200ms",
            Settings.RETRY_LOOP_INTERVAL_MS,
            "50",
            Settings.DATABASE_URL,
            ServerProcess.database(kind, folder));
    CountDownLatch never = new CountDownLatch(1);
    try (WebhookReceiver receiver =
        WebhookReceiver.replyingWith(
            call -> {
              never.await();
              return Reply.of(200);
            })) {
      String id;
      ReceivedCall first;
      try (TestServer server = TestServer.in(folder, settings)) {
        String task = "{\"kind\": \"etl\", \"on_start\": %s}".formatted(receiver.action("/start"));
        id = server.post("/task", task).json().get(0).get("id").stringValue();
        first = receiver.next();
      }
      receiver.replyWith(call -> Reply.of(200));
      try (TestServer server = TestServer.in(folder, settings)) {
        ReceivedCall second = receiver.next();
        assertThat(second.header("Idempotency-Key")).isEqualTo(first.header("Idempotency-Key"));
        assertThat(second.handle().getQuery()).isEqualTo(first.handle().getQuery());

        assertThat(server.send("PATCH", first.target(), "{\"status\": \"Success\"}").status())
            .isEqualTo(200);
        JsonNode task = server.get("/task/" + id).json();
        assertThat(task.get("status").stringValue()).isEqualTo("Success");
        assertThat(task.get("attempt").longValue()).isZero();
        assertThat(task.get("epoch").longValue()).as("another lease").isEqualTo(2);
      } finally {
        never.countDown();
      }
    }
  }
}
