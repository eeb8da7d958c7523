// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server for each test that may call the webhooks of a receiver. */
abstract class WebhookServerFixture {

  @TempDir Path folder;
  WebhookReceiver receiver;
  TestServer server;
  TestApiClient client;

  @BeforeEach
  void start() {
    receiver = WebhookReceiver.replyingOk();
    server = TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    client = new TestApiClient(server);
  }

  @AfterEach
  void stop() {
    server.close();
    receiver.close();
  }

  RawResponse submit(String body) throws IOException {
    RawResponse created = server.post("/task", body);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created;
  }
}
