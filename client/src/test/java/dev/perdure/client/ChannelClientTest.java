// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.notify.ChannelSettings;
import dev.perdure.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notifications through the Java client. */
class ChannelClientTest {

  @TempDir private Path folder;
  private WebhookReceiver service;
  private TestServer server;
  private PerdureClient client;

  @BeforeEach
  void start() {
    service = WebhookReceiver.replyingOk();
    server =
        TestServer.in(
            folder,
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                ChannelSettings.CHANNELS,
                "{\"dev\": {\"type\": \"slack\", \"url\": \"%1$s\"},".formatted(service.url("/dev"))
                    + " \"hook\": {\"type\": \"webhook\", \"url\": \"%1$s\"}}"
                        .formatted(service.url("/hook"))));
    client = PerdureClient.builder(server.url()).timeout(Duration.ofSeconds(20)).build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    service.close();
  }

  @Test
  void channels_are_listed_and_tested() throws Exception {
    assertThat(client.channels().list())
        .containsExactly(new ChannelInfo("dev", "slack"), new ChannelInfo("hook", "webhook"));

    assertThat(client.channels().test("dev"))
        .isEqualTo(new ChannelTestResult(new ChannelInfo("dev", "slack"), true, null, null));
    assertThat(service.next().path()).isEqualTo("/dev");
    service.replyWith(call -> Reply.of(404, "no_service"));
    assertThat(client.channels().test("dev"))
        .isEqualTo(
            new ChannelTestResult(
                new ChannelInfo("dev", "slack"),
                false,
                404L,
                "the channel answered with status 404: no_service"));
    assertThatThrownBy(() -> client.channels().test("a/b"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("there is no channel 'a/b'");
  }

  @Test
  void tasks_and_batches_notify_channels() throws Exception {
    TaskRequest task =
        TaskRequest.of("job")
            .notifyChannel("dev", NotifyOn.FAILURE, NotifyOn.EXHAUSTED)
            .notifyChannel("dev", NotifyOn.RETRY)
            .notifyChannel("hook", NotifyOn.SUCCESS);
    client.submit(BatchRequest.of(task).notifyChannel("hook", NotifyOn.SUCCESS));
    ClaimedTask claimed = client.claim(ClaimOptions.of("w", "job")).getFirst();
    client.succeed(claimed.attempt(), null);

    assertThat(service.next().json().get("event").stringValue()).isEqualTo("success");
    assertThat(service.next().json().get("event").stringValue()).isEqualTo("success");
    assertThat(client.deliveries(DeliverySearch.all()).items())
        .hasSize(2)
        .allSatisfy(
            delivery -> {
              assertThat(delivery.trigger()).isEqualTo("notify");
              assertThat(delivery.channel()).isEqualTo("hook");
              assertThat(delivery.text()).startsWith("✓ ");
              assertThat(delivery.action()).isNull();
            });
    assertThatThrownBy(() -> task.notifyChannel("dev"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("events: name at least one");
  }
}
