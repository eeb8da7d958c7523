// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.config.Settings;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Fault: callees that hang hold resources that the API needs, and the API hangs too. */
@Tag("slow")
class Fault14SlowWebhooksTest {

  private static final int HANGING = 500;
  private static final int REQUESTS = 200;

  @TempDir private Path folder;

  /**
   * The API allows one concurrent request and the store has a few connections. If each callee held
   * one of them, every request would fail.
   */
  @ParameterizedTest
  @EnumSource
  void the_api_responds_while_five_hundred_callees_hang(TestDatabase database) throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    AtomicInteger replied = new AtomicInteger();
    try (WebhookReceiver receiver =
            WebhookReceiver.replyingWith(
                call -> {
                  free.await();
                  replied.incrementAndGet();
                  return Reply.of(200);
                });
        TestServer server =
            database.server(
                folder,
                Map.of(
                    WebhookSettings.WEBHOOK_ALLOW,
                    WebhookReceiver.ALLOWED,
                    WebhookSettings.WORKER_WEBHOOK_CONCURRENCY,
                    Integer.toString(HANGING),
                    Settings.MAX_CONCURRENT_REQUESTS,
                    "1"))) {
      String hanging = "{\"kind\": \"etl\", \"on_start\": %s}".formatted(receiver.action("/start"));
      String all = String.join(",", Collections.nCopies(HANGING, hanging));
      assertThat(server.post("/task", "[" + all + "]").status()).isEqualTo(201);
      Eventually.await(receiver::count, count -> count == HANGING);

      TestApiClient client = new TestApiClient(server);
      for (int i = 0; i < REQUESTS; i++) {
        String id = client.submit("{\"kind\": \"unclaimed\"}");
        assertThat(client.status(id)).isEqualTo("Pending");
      }

      assertThat(receiver.count()).as("all callees hang").isEqualTo(HANGING);
      assertThat(replied).hasValue(0);
      free.countDown();
    }
  }

  /** One host hangs; deliveries to other hosts, starts and the API continue. */
  @ParameterizedTest
  @EnumSource
  void other_work_continues_while_five_hundred_deliveries_hang(TestDatabase database)
      throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    try (WebhookReceiver hangingHost =
            WebhookReceiver.replyingWith(
                call -> {
                  free.await();
                  return Reply.of(200);
                });
        WebhookReceiver healthy = WebhookReceiver.replyingWith(call -> Reply.of(200, "1"));
        TestServer server =
            database.server(
                folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED))) {
      String hanging =
          "{\"kind\": \"x\", \"on_cancel\": [%s]}"
              .formatted(hangingHost.action("/canceled", ", \"timeout\": \"60s\""));
      String all = String.join(",", Collections.nCopies(HANGING, hanging));
      RawResponse batch = server.post("/task", "[" + all + "]");
      assertThat(batch.status()).isEqualTo(201);
      for (JsonNode task : batch.json()) {
        server.request("DELETE", "/task/" + task.get("id").stringValue());
      }
      Eventually.await(hangingHost::count, count -> count > 0);

      TestApiClient client = new TestApiClient(server);
      client.submit(
          "{\"kind\": \"etl\", \"on_start\": %s, \"on_success\": [%s]}"
              .formatted(
                  healthy.action("/start", ", \"completion\": \"response\""),
                  healthy.action("/end")));
      healthy.next("/start");
      healthy.next("/end");
      for (int i = 0; i < REQUESTS; i++) {
        assertThat(client.status(client.submit("{\"kind\": \"unclaimed\"}"))).isEqualTo("Pending");
      }

      // Only one delivery completes; its end is written shortly after the call was seen.
      JsonNode sent =
          Eventually.await(
              () -> server.get("/delivery?state=sent").json(), deliveries -> !deliveries.isEmpty());
      assertThat(sent).hasSize(1);
      free.countDown();
    }
  }
}
