// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault: a task that is canceled or paused while it waits for a slot is started anyway. */
class Fault03CanceledTaskStartsTest {

  @TempDir private Path folder;

  /** There is one slot, which the first task holds; the others wait in order. */
  @ParameterizedTest
  @EnumSource
  void canceled_and_paused_tasks_are_not_started(TestDatabase database) throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    try (WebhookReceiver receiver =
            WebhookReceiver.replyingWith(
                call -> {
                  free.await();
                  return Reply.of(200);
                });
        TestServer server =
            database.server(
                folder,
                Map.of(
                    WebhookSettings.WEBHOOK_ALLOW,
                    WebhookReceiver.ALLOWED,
                    WebhookSettings.WORKER_WEBHOOK_CONCURRENCY,
                    "1"))) {
      TestApiClient client = new TestApiClient(server);
      client.submit(task(receiver, "/first"));
      receiver.next("/first");
      String canceled = client.submit(task(receiver, "/canceled"));
      String paused = client.submit(task(receiver, "/paused"));
      client.submit(task(receiver, "/last"));
      server.request("DELETE", "/task/" + canceled);
      server.request("PATCH", "/task/pause/" + paused);

      free.countDown();

      assertThat(receiver.next().path()).isEqualTo("/last");
      assertThat(client.status(canceled)).isEqualTo("Canceled");
      assertThat(client.status(paused)).isEqualTo("Paused");
      server.request("PATCH", "/task/resume/" + paused);
      assertThat(receiver.next().path()).isEqualTo("/paused");
      assertThat(receiver.count()).isEqualTo(3);
    }
  }

  private static String task(WebhookReceiver receiver, String path) {
    return "{\"kind\": \"etl\", \"on_start\": %s}"
        .formatted(receiver.action(path, ", \"completion\": \"response\""));
  }
}
