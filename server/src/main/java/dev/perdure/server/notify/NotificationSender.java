// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.Failure;
import dev.perdure.policy.FailureKind;
import dev.perdure.policy.FieldError;
import dev.perdure.server.notify.ChannelRateLimit.PendingSummary;
import dev.perdure.server.webhook.send.CallResult;
import dev.perdure.server.webhook.send.HttpSender;
import java.time.Duration;
import java.time.InstantSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends notifications to their channels, within the rate limit.
 *
 * <p>A channel that the configuration does not have is a failure like any other: another node may
 * have it, and an operator has days to add it before the delivery is given up.
 */
final class NotificationSender implements DeliverySender {

  private static final Duration STORE_DELAY = Duration.ofSeconds(5);

  private final Channels channels;
  private final ChannelLimiter limiter;
  private final HttpSender http;
  private final InstantSource clock;

  NotificationSender(
      Channels channels, ChannelLimiter limiter, HttpSender http, InstantSource clock) {
    this.channels = channels;
    this.limiter = limiter;
    this.http = http;
    this.clock = clock;
  }

  @Override
  public SendOutcome send(Delivery delivery) throws InterruptedException {
    NotificationMessage message = NotificationMessage.parse(delivery.message().request());
    Channel channel = channels.find(message.channel()).orElse(null);
    if (channel == null) {
      return DeliverySender.failed(unknown(message.channel()));
    }
    try {
      return switch (limiter.admit(channel, delivery.id(), message.event())) {
        case Admission.Wait waiting -> DeliverySender.deferred(waiting.delay());
        case Admission.LeaveOut leftOut -> DeliverySender.accepted();
        case Admission.Send now ->
            send(
                channel,
                delivery,
                message.textAt(delivery.times().createdAt()),
                about(delivery, message));
        case Admission.SendSummary now -> sendSummary(channel, delivery, now.summary());
      };
    } catch (StoreException unreachable) {
      return DeliverySender.deferred(STORE_DELAY);
    }
  }

  private static Failure unknown(String channel) {
    return Failure.of(FailureKind.WEBHOOK_FAILURE)
        .withMessage(
            "the configuration has no channel '%s': add it to channels"
                .formatted(FieldError.sanitize(channel)));
  }

  private static ObjectNode about(Delivery delivery, NotificationMessage message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("event", message.event().text())
        .put("task_id", delivery.task().toString())
        .put("batch_id", delivery.batch().toString())
        .put("attempt", message.attempt());
  }

  private SendOutcome sendSummary(Channel channel, Delivery delivery, PendingSummary summary)
      throws InterruptedException {
    ObjectNode counts = JsonNodeFactory.instance.objectNode();
    summary.leftOut().forEach((event, count) -> counts.put(event.text(), count));
    ObjectNode about = JsonNodeFactory.instance.objectNode().put("event", "summary");
    about.set("left_out", counts);
    String text = NotificationText.ofSummary(summary, clock.instant());
    SendOutcome outcome = send(channel, delivery, text, about);
    if (!(outcome instanceof Accepted)) {
      return outcome;
    }
    Duration next = limiter.summarySent(channel, summary);
    return next.isZero() ? outcome : DeliverySender.deferred(next);
  }

  private SendOutcome send(Channel channel, Delivery delivery, String text, ObjectNode about)
      throws InterruptedException {
    ChannelResponse response = call(channel, delivery.id().toString(), text, about);
    if (response.result() instanceof CallResult.Throttled throttled) {
      return DeliverySender.deferred(throttled.retryIn());
    }
    return response.failure().map(DeliverySender::failed).orElseGet(DeliverySender::accepted);
  }

  /** Sends one message now, whatever the rate limit says. */
  ChannelResponse call(Channel channel, String id, String text, ObjectNode about)
      throws InterruptedException {
    CallResult result = http.send(ChannelRequest.of(channel, id, text, about, clock.instant()));
    // A response counts even if the interrupt came right after it.
    if (Thread.interrupted() && !(result instanceof CallResult.Responded)) {
      throw new InterruptedException("the call was interrupted");
    }
    ChannelResponse response = new ChannelResponse(channel, result);
    Duration pause = response.pause();
    if (pause != null) {
      limiter.pause(channel, pause);
    }
    return response;
  }
}
