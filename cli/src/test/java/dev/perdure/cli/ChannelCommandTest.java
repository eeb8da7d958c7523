// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import dev.perdure.server.notify.ChannelSettings;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels on the command line. */
@Timeout(60)
class ChannelCommandTest extends ServerCommandFixture {

  private WebhookReceiver service;

  @BeforeEach
  void configureChannels() throws IOException {
    server.close();
    service = WebhookReceiver.replyingOk();
    server =
        TestServer.in(
            Files.createDirectory(folder.resolve("notifying")),
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                ChannelSettings.CHANNELS,
                "{\"ops\": {\"type\": \"telegram\", \"chat\": 7, \"token\": \"1:geheim\", \"url\": \"%s\"}}"
                    .formatted(service.url(""))));
  }

  @AfterEach
  void stopService() {
    service.close();
  }

  @Test
  void channels_are_listed() {
    assertThat(run("channel", "list").out()).isEqualTo("name  type\nops   telegram\n");
    assertThat(run("channel", "list", "--json").out())
        .isEqualTo("{\"name\":\"ops\",\"type\":\"telegram\"}\n");
  }

  @Test
  void a_server_without_channels_says_so() throws IOException {
    server.close();
    server = TestServer.in(Files.createDirectory(folder.resolve("silent")));

    assertThat(run("channel", "list").out())
        .isEqualTo("No channels. The server takes them from the setting channels.\n");
    assertThat(run("channel", "list", "--json").out()).isEmpty();
  }

  @Test
  void a_test_message_is_sent() throws Exception {
    CliResult sent = run("channel", "test", "ops");

    assertThat(sent.code()).isZero();
    assertThat(sent.out()).isEqualTo("The channel ops accepted the test message.\n");
    assertThat(service.next().path()).isEqualTo("/bot1:geheim/sendMessage");
    assertThat(run("channel", "test", "ops", "--json").out())
        .isEqualTo(
            "{\"name\":\"ops\",\"type\":\"telegram\",\"sent\":true,\"failure_status\":null,"
                + "\"failure_reason\":null}\n");
  }

  @Test
  void a_test_message_that_is_not_accepted_exits_with_1() {
    service.replyWith(call -> Reply.of(401, "{\"description\": \"Unauthorized\"}"));
    CliResult refused = run("channel", "test", "ops");

    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out())
        .isEqualTo(
            "The test message for ops was not sent: the channel answered with status 401:"
                + " Unauthorized\n");
    assertRefused(run("channel", "test", "nope"), 1, "there is no channel 'nope'");
    assertRefused(run("channel", "test", ""), 2, "NAME: must not be empty");
  }

  @Test
  void the_configuration_is_shown_without_tokens() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("perdure.yaml"),
            """
            channels:
              ops: {type: telegram, chat: 7, token: "${BOT_TOKEN}"}
            """);
    CliResult shown =
        shell()
            .environment("BOT_TOKEN", "1:geheim")
            .run("config", "--json", "--config", file.toString());
    assertThat(shown.code()).as(shown.err()).isZero();
    assertThat(shown.out()).contains("telegram").doesNotContain("geheim");

    CliResult missing = run("config", "--config", file.toString());
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err())
        .contains("channels.ops.token: the environment variable BOT_TOKEN is not set");
  }
}
