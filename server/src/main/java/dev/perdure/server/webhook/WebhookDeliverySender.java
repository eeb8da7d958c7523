// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.policy.FieldErrors;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.BatchData;
import dev.perdure.server.webhook.action.CallContext;
import dev.perdure.server.webhook.action.RequestComposer;
import dev.perdure.server.webhook.action.WebhookAction;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Sends deliveries. A refused address is a permanent failure; an operator can redeliver after
 * allowing it.
 */
final class WebhookDeliverySender implements DeliverySender {

  private static final Logger LOG = LoggerFactory.getLogger(WebhookDeliverySender.class);
  private static final Duration MIN_DEFERRAL = Duration.ofSeconds(5);
  private static final Duration MAX_DEFERRAL = Duration.ofMinutes(5);
  private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

  private final ActionJson reader;
  private final StoredActions actions;
  private final RequestComposer composer;
  private final HttpSender sender;
  private final BatchDataReader batches;
  private final CallTelemetry telemetry;
  private @Nullable Duration lastLoggedAt;

  WebhookDeliverySender(
      ActionJson reader,
      StoredActions actions,
      RequestComposer composer,
      HttpSender sender,
      BatchDataReader batches,
      CallTelemetry telemetry) {
    this.reader = reader;
    this.actions = actions;
    this.composer = composer;
    this.sender = sender;
    this.batches = batches;
    this.telemetry = telemetry;
  }

  @Override
  public SendOutcome send(Delivery delivery) throws InterruptedException {
    WebhookMessage message =
        WebhookMessage.parse(delivery.message().request()).at(delivery.times().createdAt());
    JsonNode json = decryptedAction(message);
    if (json == null) {
      return DeliverySender.deferred(deferral(delivery));
    }
    FieldErrors errors = new FieldErrors();
    WebhookAction action = reader.read(json, message.trigger().field(), message.trigger(), errors);
    if (action == null) {
      return outcome(CallResult.Refusal.of(errors));
    }
    try {
      BatchData batch = batches.read(action, delivery.task(), delivery.batch());
      return outcome(call(action, message, batch, delivery));
    } catch (StoreException unreadable) {
      return DeliverySender.deferred(deferral(delivery));
    }
  }

  /**
   * Null when no key decrypts it, which is a fault of the server's configuration, not a failure.
   */
  private @Nullable JsonNode decryptedAction(WebhookMessage message) {
    try {
      return actions.action(message.storedAction(), message.trigger(), 0);
    } catch (IllegalStateException e) {
      logMissingKey(e);
      return null;
    }
  }

  /** Logs once in a while: every delivery that was encrypted with a lost key comes here again. */
  private synchronized void logMissingKey(IllegalStateException e) {
    Duration now = telemetry.monotonic().get();
    if (lastLoggedAt == null || now.minus(lastLoggedAt).compareTo(LOG_INTERVAL) >= 0) {
      lastLoggedAt = now;
      LOG.error("deliveries are waiting because they cannot be decrypted: {}", e.getMessage());
    }
  }

  private CallResult call(
      WebhookAction action, WebhookMessage message, BatchData batch, Delivery delivery)
      throws InterruptedException {
    CallSpan span =
        telemetry.startSpan(message.trace(), delivery.task(), delivery.message().trigger(), action);
    CallResult result =
        sender.send(composer.compose(action, callContext(message, batch, span.context())));
    telemetry.endSpan(span, result);
    // A response counts even if the interrupt came right after it.
    if (Thread.interrupted() && !(result instanceof CallResult.Responded)) {
      throw new InterruptedException("the call was interrupted");
    }
    return result;
  }

  private CallContext callContext(WebhookMessage message, BatchData batch, TraceContext trace) {
    return new CallContext(
        message.task(),
        batch,
        message.trigger(),
        message.index(),
        telemetry.clock().instant(),
        null,
        trace,
        message.summary().isNull() ? null : message.summary().toString());
  }

  private static SendOutcome outcome(CallResult result) {
    return result instanceof CallResult.Throttled throttled
        ? DeliverySender.deferred(throttled.retryIn())
        : result.failure().map(DeliverySender::failed).orElseGet(DeliverySender::accepted);
  }

  /**
   * Defers for about as long as the delivery has waited already, so that many waiting deliveries
   * cause few writes. The random part keeps deliveries that were deferred together apart.
   */
  private Duration deferral(Delivery delivery) {
    Duration waited = Duration.between(delivery.times().retrySince(), telemetry.clock().instant());
    long max = Math.clamp(waited.toMillis(), MIN_DEFERRAL.toMillis(), MAX_DEFERRAL.toMillis());
    long seed = delivery.id().getLeastSignificantBits() + delivery.epoch();
    return Duration.ofMillis(new SplittableRandom(seed).nextLong(max / 2, max + 1));
  }
}
