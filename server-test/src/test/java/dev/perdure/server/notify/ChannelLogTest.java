// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.UnusedPort;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A channel that fails all the time does not fill the log. */
@Isolated("it reads standard error")
class ChannelLogTest {

  private static final int MESSAGES = 3;

  private final AtomicReference<Instant> clock =
      new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));

  @TempDir private Path folder;

  private List<String> logOf(String url, String channel) {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    String channels = "{\"dev\": {\"type\": \"slack\", \"url\": \"%s/x\"}}".formatted(url);
    try (NotifyingNode node = new NotifyingNode(TestDatabase.SQLITE.url(folder), clock, channels)) {
      node.failTasks(MESSAGES, channel);
      System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
      // While a pause is on, only one message is tried.
      for (int attempt = 0; attempt < MESSAGES * 9; attempt++) {
        node.deliver();
        clock.updateAndGet(now -> now.plus(Duration.ofDays(5)));
      }
      assertThat(
              node.store()
                  .outbox()
                  .list(DeliveryFilter.in(DeliveryState.DEAD), PageRequest.first(10))
                  .deliveries())
          .hasSize(MESSAGES);
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.contains(" EmbeddedPostgres: ")) // The database of other tests.
        .toList();
  }

  private static void assertOneLineForEachMessage(List<String> log, String reason) {
    assertThat(log)
        .hasSize(MESSAGES)
        .allSatisfy(
            line ->
                assertThat(line).contains("WARN", "delivery given up after 8 attempts", reason));
  }

  @Test
  void a_message_that_is_given_up_is_one_line_and_its_attempts_are_none() {
    try (WebhookReceiver service = WebhookReceiver.replyingWith(call -> Reply.of(503))) {
      assertOneLineForEachMessage(logOf("http://127.0.0.1:" + service.port(), "dev"), "status 503");
    }
  }

  @Test
  void a_service_that_asks_for_pauses_all_the_time_adds_no_lines() {
    Reply pause = new Reply(429, Map.of("Retry-After", "60"), "rate_limited");
    try (WebhookReceiver service = WebhookReceiver.replyingWith(call -> pause)) {
      assertOneLineForEachMessage(logOf("http://127.0.0.1:" + service.port(), "dev"), "status 429");
    }
  }

  @Test
  void a_service_that_cannot_be_reached_adds_no_lines() {
    assertOneLineForEachMessage(
        logOf("http://127.0.0.1:" + UnusedPort.next(), "dev"), "cannot be reached");
  }

  @Test
  void a_channel_that_is_not_configured_adds_no_lines() {
    assertOneLineForEachMessage(logOf("https://example.org", "nowhere"), "no channel 'nowhere'");
  }
}
