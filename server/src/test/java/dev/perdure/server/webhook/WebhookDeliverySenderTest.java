// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.RequestComposer;
import dev.perdure.server.webhook.action.Trigger;
import dev.perdure.server.webhook.action.WebhookTaskData;
import dev.perdure.server.webhook.encryption.EncryptionKeys;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.AllowList;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

@Isolated
class WebhookDeliverySenderTest {

  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String OTHER_KEY = "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final TraceContext TRACE =
      TraceContext.parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").orElseThrow();
  private static final Duration TURN = Duration.ofSeconds(7);
  private static final HttpSender FULL = call -> new CallResult.Throttled(TURN);

  private static StoredActions actions(String keys) {
    return new StoredActions(
        new SecretEncryptor(EncryptionKeys.parse(keys), new SplittableRandom(3)));
  }

  private static WebhookDeliverySender courier(String keys, HttpSender sender) {
    return courier(keys, sender, () -> Duration.ZERO);
  }

  private static WebhookDeliverySender courier(
      String keys, HttpSender sender, Supplier<Duration> monotonic) {
    CallTelemetry watch =
        new CallTelemetry(
            InstantSource.fixed(NOW), monotonic, new EngineListener() {}, Tracing.OFF);
    return new WebhookDeliverySender(
        new ActionJson(new AddressGuard(AllowList.parse("127.0.0.1"))),
        actions(keys),
        new RequestComposer(null),
        sender,
        watch);
  }

  private static Delivery delivery(String keys, String host, Duration age) {
    UUID id = UUID.randomUUID();
    JsonNode action =
        JsonMapper.shared()
            .readTree(
                """
                {"kind": "Webhook", "params": {"url": "http://%s/", "verb": "Post"}}"""
                    .formatted(host));
    WebhookMessage message =
        new WebhookMessage(
            Trigger.CANCEL,
            0,
            StoredActions.parse(actions(keys).serialize(Trigger.CANCEL, action)),
            new WebhookTaskData(id, "Canceled", 0, null),
            JsonNodeFactory.instance.nullNode(),
            TRACE);
    return new Delivery(
        id,
        id,
        id,
        message.toDeliveryMessage("on_cancel"),
        DeliveryState.PENDING,
        1,
        0,
        new Delivery.DeliveryTimes(NOW.minus(age), NOW.minus(age), NOW, NOW, NOW, null),
        null);
  }

  private static Duration putOff(DeliverySender.SendOutcome outcome) {
    assertThat(outcome).isInstanceOf(DeliverySender.SendDeferred.class);
    return ((DeliverySender.SendDeferred) outcome).delay();
  }

  @Test
  void what_finds_no_room_comes_again_at_its_turn() throws Exception {
    assertThat(putOff(courier("", FULL).send(delivery("", "127.0.0.1", Duration.ZERO))))
        .isEqualTo(TURN);
  }

  @Test
  void what_no_key_opens_is_put_off_for_about_as_long_as_it_has_waited() throws Exception {
    WebhookDeliverySender courier = courier(OTHER_KEY, FULL);
    Map<Integer, Integer> mostByAge = Map.of(0, 5, 4, 5, 20, 20, 200, 200, 1_000_000, 300);
    for (Map.Entry<Integer, Integer> each : mostByAge.entrySet()) {
      Duration age = Duration.ofSeconds(each.getKey());
      Duration most = Duration.ofSeconds(each.getValue());
      for (int draw = 0; draw < 20; draw++) {
        assertThat(putOff(courier.send(delivery(KEY, "127.0.0.1", age))))
            .isBetween(most.dividedBy(2), most);
      }
    }
  }

  @Test
  void those_put_off_together_do_not_come_back_together() throws Exception {
    WebhookDeliverySender courier = courier(OTHER_KEY, FULL);
    Set<Duration> delays = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      delays.add(putOff(courier.send(delivery(KEY, "127.0.0.1", Duration.ofHours(1)))));
    }

    assertThat(delays).hasSizeGreaterThan(150);
  }

  @Test
  void what_no_key_opens_waits_for_one_that_does() throws Exception {
    Delivery sealed = delivery(KEY, "127.0.0.1", Duration.ZERO);

    assertThat(putOff(courier(OTHER_KEY, FULL).send(sealed))).isPositive();
    HttpSender agreeing = call -> new CallResult.Responded(200, null, "", false);
    assertThat(courier(KEY, agreeing).send(sealed)).isEqualTo(DeliverySender.accepted());
  }

  @Test
  void that_no_key_opens_them_is_said_once_a_minute() throws Exception {
    AtomicReference<Duration> tick = new AtomicReference<>(Duration.ofDays(-1));
    WebhookDeliverySender courier = courier(OTHER_KEY, FULL, tick::get);
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      for (int i = 0; i < 4; i++) {
        putOff(courier.send(delivery(KEY, "127.0.0.1", Duration.ZERO)));
        putOff(courier.send(delivery(KEY, "127.0.0.1", Duration.ZERO)));
        tick.updateAndGet(now -> now.plusSeconds(30));
      }
    } finally {
      System.setErr(before);
    }

    assertThat(
            log.toString(StandardCharsets.UTF_8).lines().filter(it -> it.contains("SECRETS_KEY")))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("ERROR"));
  }

  @Test
  void what_is_refused_is_refused_for_good() throws Exception {
    DeliverySender.SendOutcome outcome =
        courier("", FULL).send(delivery("", "10.0.0.1", Duration.ZERO));

    Failure failure = ((DeliverySender.SendFailed) outcome).failure();
    assertThat(failure.permanent()).isTrue();
    assertThat(failure.code()).isEqualTo("webhook_refused");
    assertThat(failure.message()).contains("10.0.0.1", "WEBHOOK_ALLOW");
  }

  @Test
  void an_answer_counts_although_somebody_wanted_to_break_the_call_off() throws Exception {
    HttpSender late =
        call -> {
          Thread.currentThread().interrupt();
          return new CallResult.Responded(200, null, "", false);
        };

    assertThat(courier("", late).send(delivery("", "127.0.0.1", Duration.ZERO)))
        .isEqualTo(DeliverySender.accepted());
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void a_call_that_was_broken_off_is_no_failure_of_the_callee() {
    HttpSender broken =
        call -> {
          Thread.currentThread().interrupt();
          return new CallResult.Unknown("interrupted");
        };

    assertThatThrownBy(() -> courier("", broken).send(delivery("", "127.0.0.1", Duration.ZERO)))
        .isInstanceOf(InterruptedException.class);
  }
}
