// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.Failure;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.ActionTrigger;
import dev.perdure.server.webhook.action.RequestComposer;
import dev.perdure.server.webhook.action.WebhookTaskData;
import dev.perdure.server.webhook.encryption.EncryptionKeys;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.guard.AllowList;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.SocketException;
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

  /** A database that cannot be reached. */
  private static final BatchReader UNREADABLE =
      (BatchReader)
          Proxy.newProxyInstance(
              BatchReader.class.getClassLoader(),
              new Class<?>[] {BatchReader.class},
              (self, method, arguments) -> {
                throw new StoreException("down", null, StoreException.ErrorKind.UNAVAILABLE);
              });

  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String OTHER_KEY = "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final TraceContext TRACE =
      TraceContext.parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").orElseThrow();
  private static final Duration RETRY_IN = Duration.ofSeconds(7);
  private static final HttpSender THROTTLED = call -> new CallResult.Throttled(RETRY_IN);

  private static StoredActions actions(String keys) {
    return new StoredActions(
        new SecretEncryptor(EncryptionKeys.parse(keys), new SplittableRandom(3)));
  }

  private static WebhookDeliverySender sender(String keys, HttpSender sender) {
    return sender(keys, sender, () -> Duration.ZERO);
  }

  private static WebhookDeliverySender sender(
      String keys, HttpSender sender, Supplier<Duration> monotonic) {
    CallTelemetry telemetry =
        new CallTelemetry(
            InstantSource.fixed(NOW), monotonic, new EngineListener() {}, Tracing.OFF);
    return new WebhookDeliverySender(
        new ActionJson(new AddressGuard(AllowList.parse("127.0.0.1"))),
        actions(keys),
        new RequestComposer(null),
        sender,
        new BatchDataReader(UNREADABLE),
        telemetry);
  }

  private static Delivery delivery(String keys, String host, Duration age) {
    return delivery(keys, host, age, "null");
  }

  private static Delivery delivery(String keys, String host, Duration age, String body) {
    UUID id = UUID.randomUUID();
    JsonNode action =
        JsonMapper.shared()
            .readTree(
                """
                {"kind": "Webhook", "params": {"url": "http://%s/", "verb": "Post", "body": %s}}"""
                    .formatted(host, body));
    WebhookMessage message =
        new WebhookMessage(
            ActionTrigger.CANCEL,
            0,
            StoredActions.parse(actions(keys).serialize(ActionTrigger.CANCEL, action)),
            new WebhookTaskData(id, "Canceled", 0, null, null),
            null,
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

  private static Duration deferral(DeliverySender.SendOutcome outcome) {
    assertThat(outcome).isInstanceOf(DeliverySender.SendDeferred.class);
    return ((DeliverySender.SendDeferred) outcome).delay();
  }

  @Test
  void a_throttled_delivery_is_deferred() throws Exception {
    assertThat(deferral(sender("", THROTTLED).send(delivery("", "127.0.0.1", Duration.ZERO))))
        .isEqualTo(RETRY_IN);
  }

  @Test
  void an_undecryptable_delivery_is_deferred_for_about_as_long_as_it_has_waited() throws Exception {
    WebhookDeliverySender sender = sender(OTHER_KEY, THROTTLED);
    Map<Integer, Integer> maxByAge = Map.of(0, 5, 4, 5, 20, 20, 200, 200, 1_000_000, 300);
    for (Map.Entry<Integer, Integer> each : maxByAge.entrySet()) {
      Duration age = Duration.ofSeconds(each.getKey());
      Duration max = Duration.ofSeconds(each.getValue());
      for (int draw = 0; draw < 20; draw++) {
        assertThat(deferral(sender.send(delivery(KEY, "127.0.0.1", age))))
            .isBetween(max.dividedBy(2), max);
      }
    }
  }

  @Test
  void a_delivery_whose_parents_cannot_be_read_is_deferred() throws Exception {
    HttpSender accepting = call -> new CallResult.Responded(200, null, "", false);
    Delivery ofParent =
        delivery("", "127.0.0.1", Duration.ZERO, "{\"a\": \"{{parents.a.result}}\"}");
    assertThat(deferral(sender("", accepting).send(ofParent))).isPositive();

    Delivery other = delivery("", "127.0.0.1", Duration.ZERO, "{\"a\": \"{{batch.id}}\"}");
    assertThat(sender("", accepting).send(other)).isEqualTo(DeliverySender.accepted());
  }

  @Test
  void deferrals_are_spread() throws Exception {
    WebhookDeliverySender sender = sender(OTHER_KEY, THROTTLED);
    Set<Duration> delays = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      delays.add(deferral(sender.send(delivery(KEY, "127.0.0.1", Duration.ofHours(1)))));
    }

    assertThat(delays).hasSizeGreaterThan(150);
  }

  @Test
  void an_undecryptable_delivery_is_sent_once_the_key_is_back() throws Exception {
    Delivery encrypted = delivery(KEY, "127.0.0.1", Duration.ZERO);

    assertThat(deferral(sender(OTHER_KEY, THROTTLED).send(encrypted))).isPositive();
    HttpSender accepting = call -> new CallResult.Responded(200, null, "", false);
    assertThat(sender(KEY, accepting).send(encrypted)).isEqualTo(DeliverySender.accepted());
  }

  @Test
  void a_missing_key_is_logged_once_a_minute() throws Exception {
    AtomicReference<Duration> tick = new AtomicReference<>(Duration.ofDays(-1));
    WebhookDeliverySender sender = sender(OTHER_KEY, THROTTLED, tick::get);
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      for (int i = 0; i < 4; i++) {
        deferral(sender.send(delivery(KEY, "127.0.0.1", Duration.ZERO)));
        deferral(sender.send(delivery(KEY, "127.0.0.1", Duration.ZERO)));
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
  void a_refused_address_is_a_permanent_failure() throws Exception {
    DeliverySender.SendOutcome outcome =
        sender("", THROTTLED).send(delivery("", "10.0.0.1", Duration.ZERO));

    Failure failure = ((DeliverySender.SendFailed) outcome).failure();
    assertThat(failure.permanent()).isTrue();
    assertThat(failure.code()).isEqualTo("webhook_refused");
    assertThat(failure.message()).contains("10.0.0.1", "WEBHOOK_ALLOW");
  }

  @Test
  void a_response_counts_despite_an_interrupt() throws Exception {
    HttpSender late =
        call -> {
          Thread.currentThread().interrupt();
          return new CallResult.Responded(200, null, "", false);
        };

    assertThat(sender("", late).send(delivery("", "127.0.0.1", Duration.ZERO)))
        .isEqualTo(DeliverySender.accepted());
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void an_interrupted_call_is_not_a_failure() {
    HttpSender interrupted =
        call -> {
          Thread.currentThread().interrupt();
          return new CallResult.Unknown("interrupted", new SocketException());
        };

    assertThatThrownBy(() -> sender("", interrupted).send(delivery("", "127.0.0.1", Duration.ZERO)))
        .isInstanceOf(InterruptedException.class);
  }
}
