// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Listing deliveries. */
class DeliveryRoutesTest {

  private static final Pattern NEXT = Pattern.compile("<([^>]*)>; rel=\"next\"");

  @TempDir private Path folder;

  /** A server whose first delivery retry is an hour away. */
  private TestServer server(TestDatabase database) {
    return database.server(
        folder,
        Map.of(
            WebhookSettings.WEBHOOK_ALLOW,
            WebhookReceiver.ALLOWED,
            WebhookSettings.DELIVERY_RETRY,
            TestApiClient.LATER));
  }

  private static String submitAndCancel(TestServer server, TestApiClient client, String more)
      throws IOException {
    String id =
        client.submit(
            """
            {"kind": "unclaimed", "on_cancel": [{"kind": "Webhook", "params":
              {"url": "http://127.0.0.1:1/path?key=hush", "verb": "Post",
               "headers": {"X-Secret": "hush"}, "body": "hush"}}%s]}"""
                .formatted(more));
    server.request("DELETE", "/task/" + id);
    return id;
  }

  @ParameterizedTest
  @EnumSource
  void a_pending_delivery_is_shown_without_its_secrets(TestDatabase database) throws IOException {
    try (TestServer server = server(database)) {
      String id = submitAndCancel(server, new TestApiClient(server), "");

      RawResponse response = server.get("/delivery?state=pending&task=" + id);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body()).doesNotContain("hush");
      JsonNode delivery = response.json().get(0);
      assertThat(delivery.get("task_id").stringValue()).isEqualTo(id);
      assertThat(delivery.get("trigger").stringValue()).isEqualTo("on_cancel");
      assertThat(delivery.get("action").get("params").get("url").stringValue())
          .isEqualTo("http://127.0.0.1:1/path?…");
      assertThat(delivery.get("due_at").isNull())
          .isEqualTo(!delivery.get("sending_until").isNull());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_delivery_in_progress_and_a_sent_one_are_shown(TestDatabase database) throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (WebhookReceiver receiver = WebhookReceiver.replyingWith(call -> Reply.of(500));
        TestServer server =
            database.server(
                folder,
                Map.of(
                    WebhookSettings.WEBHOOK_ALLOW,
                    WebhookReceiver.ALLOWED,
                    WebhookSettings.DELIVERY_RETRY,
                    TestApiClient.AT_ONCE))) {
      receiver.replyWith(
          call -> {
            receiver.replyWith(
                again -> {
                  release.await();
                  return Reply.of(200);
                });
            return Reply.of(500);
          });
      String id =
          new TestApiClient(server)
              .submit("{\"kind\": \"x\", \"on_cancel\": [%s]}".formatted(receiver.action("/")));
      server.request("DELETE", "/task/" + id);
      receiver.next();
      receiver.next();
      JsonNode sending = awaitDelivery(server, id, "pending");
      assertThat(sending.get("due_at").isNull()).isTrue();
      assertThat(sending.get("sending_until").isNull()).isFalse();
      assertThat(sending.get("failure_status").intValue()).isEqualTo(500);

      release.countDown();
      JsonNode sent = awaitDelivery(server, id, "sent");
      assertThat(sent.get("sending_until").isNull()).isTrue();
      assertThat(sent.get("due_at").isNull()).isTrue();
      assertThat(sent.get("attempt").intValue()).isEqualTo(1);
      assertThat(sent.get("failure_status").isNull()).isTrue();
      assertThat(sent.get("failure_kind").isNull()).isTrue();
    }
  }

  private static JsonNode awaitDelivery(TestServer server, String task, String state)
      throws Exception {
    String target = "/delivery?state=" + state + "&task=" + task;
    return Eventually.await(() -> server.get(target).json(), found -> found.size() == 1).get(0);
  }

  @ParameterizedTest
  @EnumSource
  void lists_are_paged(TestDatabase database) throws IOException {
    try (TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      for (int i = 0; i < 5; i++) {
        submitAndCancel(server, client, "");
      }
      Set<String> seen = new HashSet<>();
      String target = "/delivery?page_size=2";
      int pages = 0;
      while (target != null) {
        RawResponse response = server.get(target);
        response.json().forEach(one -> seen.add(one.get("id").stringValue()));
        Matcher next = NEXT.matcher(response.header("Link"));
        target = next.find() ? next.group(1) : null;
        pages++;
      }
      assertThat(seen).hasSize(5);
      assertThat(pages).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void invalid_queries_and_redeliveries_are_rejected(TestDatabase database) throws IOException {
    try (TestServer server = server(database)) {
      TestApiClient client = new TestApiClient(server);
      String id = submitAndCancel(server, client, "");
      RawResponse wrong = server.get("/delivery?state=died&task=x&page_size=0&tsk=1");
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.json().get("errors").findValuesAsString("path"))
          .containsExactlyInAnyOrder("state", "task", "page_size", "tsk");

      RawResponse typo = server.get("/delivery?trigger=on_cancle");
      assertThat(typo.status()).isEqualTo(400);
      assertThat(typo.body()).contains("did you mean 'on_cancel'?");
      assertThat(server.get("/delivery?trigger=%00").status()).isEqualTo(400);
      assertThat(server.get("/delivery?trigger=on_cancel").json()).hasSize(1);

      String waiting = server.get("/delivery?task=" + id).json().get(0).get("id").stringValue();
      assertThat(server.request("POST", "/delivery/" + waiting + "/redeliver").status())
          .isEqualTo(409);
      assertThat(
              server
                  .request("POST", "/delivery/" + TestApiClient.UNKNOWN_ID + "/redeliver")
                  .status())
          .isEqualTo(404);
      assertThat(server.request("POST", "/delivery/x/redeliver").status()).isEqualTo(404);
    }
  }
}
