// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Delivery.DeliveryFailure;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.WebhookReceiver.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two nodes on one database send to scripted services. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class NotificationRateTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final TestDatabase database;
  private final AtomicReference<Instant> clock = new AtomicReference<>(START);
  private final List<NotifyingNode> nodes = new ArrayList<>();

  @TempDir private Path folder;
  private WebhookReceiver service;
  private String url;

  NotificationRateTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() {
    service = WebhookReceiver.replyingOk();
    url = database.url(folder);
    IntStream.range(0, 2).forEach(i -> node(channels()));
  }

  @AfterEach
  void stop() {
    nodes.forEach(NotifyingNode::close);
    service.close();
  }

  private NotifyingNode node(String channels) {
    nodes.add(new NotifyingNode(url, clock, channels));
    return nodes.getLast();
  }

  private String channels() {
    return """
        {"ops": {"type": "telegram", "chat": 7, "token": "12:geheim", "url": "%1$s"},
         "dev": {"type": "slack", "url": "%1$s/slack/geheim"},
         "hook": {"type": "webhook", "url": "%1$s/hook"}}"""
        .formatted("http://127.0.0.1:" + service.port());
  }

  private void advance(Duration by) {
    clock.updateAndGet(now -> now.plus(by));
  }

  private void deliver() {
    for (int round = 0; round < 3; round++) {
      nodes.forEach(NotifyingNode::deliver);
    }
  }

  private List<String> texts(int count) throws InterruptedException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(service.next().json().get("text").stringValue());
    }
    return texts;
  }

  private List<Delivery> deliveries(DeliveryState state) {
    return nodes
        .getFirst()
        .store()
        .outbox()
        .list(DeliveryFilter.in(state), PageRequest.first(1_000))
        .deliveries();
  }

  private static @Nullable String failure(Delivery delivery) {
    return requireNonNull(delivery.lastFailure()).message();
  }

  @Test
  void all_nodes_together_send_twenty_messages_a_minute_and_then_one_summary() throws Exception {
    nodes.get(0).failTasks(70, "dev");
    nodes.get(1).failTasks(82, "dev");
    deliver();

    assertThat(service.count()).isEqualTo(20);
    assertThat(texts(20)).allMatch(text -> text.startsWith("✗ job failed after 1 attempt"));
    advance(Duration.ofSeconds(59));
    deliver();
    assertThat(service.count()).isEqualTo(20);
    advance(Duration.ofSeconds(1));
    deliver();
    assertThat(texts(1)).containsExactly("… and 132 more in the last minute: 132 failed");
    assertThat(service.count()).isEqualTo(21);
    assertThat(deliveries(DeliveryState.PENDING)).isEmpty();
    assertThat(deliveries(DeliveryState.DEAD)).isEmpty();
  }

  @Test
  void the_limit_of_one_channel_does_not_hold_up_another() {
    nodes.getFirst().failTasks(30, "dev");
    nodes.getFirst().failTasks(20, "hook");
    deliver();

    assertThat(service.count()).isEqualTo(40);
  }

  @Test
  void a_summary_that_fails_is_sent_again_with_all_that_was_left_out_since() throws Exception {
    nodes.getFirst().failTasks(25, "dev");
    deliver();
    assertThat(texts(20)).hasSize(20);
    service.replyWith(call -> Reply.of(500));
    advance(Duration.ofMinutes(1));
    deliver();
    assertThat(texts(1)).containsExactly("… and 5 more in the last minute: 5 failed");

    service.replyWith(call -> Reply.of(200));
    nodes.getFirst().failTasks(30, "dev");
    deliver();
    assertThat(texts(18)).noneMatch(text -> text.startsWith("…"));
    advance(Duration.ofMinutes(10));
    deliver();
    assertThat(texts(1)).containsExactly("… and 17 more since 2026-03-01 12:00:00 UTC: 17 failed");
    assertThat(deliveries(DeliveryState.PENDING)).isEmpty();
  }

  @Test
  void another_message_takes_over_from_a_summary_that_was_given_up() throws Exception {
    nodes.getFirst().failTasks(21, "dev");
    deliver();
    texts(20);
    advance(Duration.ofMinutes(1));
    Outbox outbox = nodes.getFirst().store().outbox();
    Delivery summary = outbox.claim(10, Duration.ofMinutes(1)).deliveries().getFirst();
    outbox.settle(List.of(DeliveryUpdate.dead(summary, new DeliveryFailure("timeout", 0, "no"))));
    nodes.getFirst().failTasks(21, "dev");
    deliver();
    texts(19);

    advance(Duration.ofMinutes(1));
    deliver();
    assertThat(texts(1)).containsExactly("… and 3 more since 2026-03-01 12:00:00 UTC: 3 failed");
    assertThat(deliveries(DeliveryState.PENDING)).isEmpty();
  }

  @Test
  void after_an_outage_people_get_a_summary_although_the_old_one_is_in_a_long_backoff()
      throws Exception {
    nodes.getFirst().failTasks(21, "dev");
    deliver();
    texts(20);
    advance(Duration.ofMinutes(1));
    Outbox outbox = nodes.getFirst().store().outbox();
    Delivery summary = outbox.claim(10, Duration.ofMinutes(1)).deliveries().getFirst();
    outbox.settle(
        List.of(
            DeliveryUpdate.failed(
                summary, Duration.ofHours(26), new DeliveryFailure("timeout", 0, "no"))));
    nodes.getFirst().failTasks(30, "dev");
    deliver();
    texts(19);

    advance(Duration.ofMinutes(1));
    deliver();
    assertThat(texts(1)).containsExactly("… and 12 more since 2026-03-01 12:00:00 UTC: 12 failed");
    assertThat(deliveries(DeliveryState.PENDING))
        .extracting(Delivery::id)
        .containsOnly(summary.id());
  }

  @Test
  void telegrams_retry_after_silences_the_channel_on_all_nodes() throws Exception {
    service.replyWith(
        call -> Reply.of(429, "{\"ok\": false, \"parameters\": {\"retry_after\": 40}}"));
    nodes.getFirst().failTasks(3, "ops");
    nodes.getFirst().deliver();
    assertThat(service.count()).isEqualTo(1);
    assertThat(service.next().path()).isEqualTo("/bot12:geheim/sendMessage");

    service.replyWith(call -> Reply.of(200, "{\"ok\": true}"));
    advance(Duration.ofSeconds(39));
    deliver();
    assertThat(service.count()).isEqualTo(1);
    advance(Duration.ofMinutes(5));
    deliver();
    assertThat(texts(3))
        .extracting(text -> text.lines().skip(1).findFirst().orElse(""))
        .containsExactlyInAnyOrder(
            "exception: no luck 0", "exception: no luck 1", "exception: no luck 2");
    assertThat(deliveries(DeliveryState.SENT)).hasSize(3);
  }

  @Test
  void all_messages_that_waited_for_a_pause_arrive_one_by_one() throws Exception {
    service.replyWith(
        call -> Reply.of(429, "{\"ok\": false, \"parameters\": {\"retry_after\": 40}}"));
    nodes.getFirst().failTasks(1, "ops");
    deliver();
    texts(1);
    service.replyWith(call -> Reply.of(200, "{\"ok\": true}"));
    nodes.getFirst().failTasks(30, "ops");
    nodes.getLast().failTasks(30, "ops");
    deliver();
    assertThat(service.count()).isEqualTo(1);

    advance(Duration.ofSeconds(40));
    for (int second = 0; second < 260; second += 4) {
      deliver();
      advance(Duration.ofSeconds(4));
    }
    assertThat(texts(61)).allMatch(text -> text.startsWith("✗ job failed after 1 attempt"));
    assertThat(deliveries(DeliveryState.PENDING)).isEmpty();
  }

  @Test
  void slacks_retry_after_is_honored() throws Exception {
    service.replyWith(call -> new Reply(429, Map.of("Retry-After", "1800"), "rate_limited"));
    nodes.getFirst().failTasks(1, "dev");
    deliver();
    assertThat(service.next().path()).isEqualTo("/slack/geheim");

    service.replyWith(call -> Reply.of(200, "ok"));
    advance(Duration.ofSeconds(1_799));
    deliver();
    assertThat(service.count()).isEqualTo(1);
    advance(Duration.ofSeconds(1));
    deliver();
    assertThat(service.count()).isEqualTo(2);
    assertThat(deliveries(DeliveryState.SENT)).hasSize(1);
  }

  @Test
  void an_outage_loses_nothing() throws Exception {
    service.replyWith(call -> Reply.of(503));
    nodes.getFirst().failTasks(5, "hook");
    deliver();
    assertThat(deliveries(DeliveryState.PENDING))
        .hasSize(5)
        .allSatisfy(
            delivery ->
                assertThat(failure(delivery)).isEqualTo("the channel answered with status 503"));

    service.replyWith(call -> Reply.of(200));
    advance(Duration.ofMinutes(10));
    deliver();
    assertThat(deliveries(DeliveryState.SENT)).hasSize(5);
    texts(5);
    assertThat(texts(5)).doesNotHaveDuplicates();
  }

  @Test
  void a_message_to_a_channel_that_was_removed_waits_for_it_and_says_so() {
    nodes.getFirst().failTasks(1, "dev");
    nodes.forEach(NotifyingNode::close);
    nodes.clear();
    node("{}");
    deliver();
    assertThat(failure(deliveries(DeliveryState.PENDING).getFirst()))
        .isEqualTo("the configuration has no channel 'dev': add it to channels");

    node(channels());
    nodes.removeFirst().close();
    advance(Duration.ofMinutes(1));
    deliver();
    assertThat(deliveries(DeliveryState.SENT)).hasSize(1);
    assertThat(service.count()).isEqualTo(1);
  }

  @Test
  void a_message_to_a_channel_that_is_gone_for_days_becomes_a_dead_letter() {
    nodes.getFirst().failTasks(1, "nowhere");
    for (int attempt = 0; attempt < 8; attempt++) {
      deliver();
      advance(Duration.ofDays(5));
    }

    assertThat(deliveries(DeliveryState.DEAD)).hasSize(1);
  }
}
