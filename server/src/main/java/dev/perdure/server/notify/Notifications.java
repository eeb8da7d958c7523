// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.query.DeliveryReader;
import dev.perdure.engine.task.DeliveryPlanner;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.policy.Failure;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import dev.perdure.server.webhook.WebhookSettings;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.send.GuardedHttpSender;
import dev.perdure.server.webhook.send.NameResolver;
import dev.perdure.server.webhook.send.SenderOptions;
import dev.perdure.store.jdbc.access.ChannelStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The planner and the sender of notifications. They have an HTTP sender of their own, so that a
 * channel that hangs takes no calls from webhooks.
 */
public final class Notifications implements AutoCloseable {

  private final Channels channels;
  private final ChannelLimiter limiter;
  private final GuardedHttpSender http;
  private final InstantSource clock;
  private final NotificationPlanner planner;
  private final NotificationSender sender;

  private Notifications(
      Configuration configuration,
      ChannelStore store,
      DeliveryReader deliveries,
      InstantSource clock,
      Supplier<Duration> monotonic) {
    this.channels = configuration.get(ChannelSettings.CHANNELS);
    this.limiter = new ChannelLimiter(store, dueAt(deliveries));
    // The other half of the deliveries that a node sends at once is for webhooks.
    int concurrency = DeliveryOptions.DEFAULT.concurrency() / 2;
    this.http =
        GuardedHttpSender.create(
            new AddressGuard(configuration.get(WebhookSettings.WEBHOOK_ALLOW)),
            NameResolver.system(),
            SenderOptions.of(clock, monotonic)
                .withConcurrency(concurrency)
                .withPerHost(concurrency));
    this.clock = clock;
    this.planner = new NotificationPlanner(configuration.get(Settings.HOST_URL).orElse(null));
    this.sender = new NotificationSender(channels, limiter, http, clock);
  }

  /**
   * Opens the HTTP sender, whose threads run until {@link #close}.
   *
   * @param deliveries finds the delivery that will be a summary
   */
  public static Notifications create(
      Configuration configuration,
      ChannelStore store,
      DeliveryReader deliveries,
      InstantSource clock,
      Supplier<Duration> monotonic) {
    return new Notifications(configuration, store, deliveries, clock, monotonic);
  }

  private static Function<UUID, Optional<Instant>> dueAt(DeliveryReader deliveries) {
    return id ->
        deliveries
            .find(id)
            .filter(found -> found.state() == DeliveryState.PENDING)
            .map(found -> found.times().dueAt());
  }

  public Channels channels() {
    return channels;
  }

  public DeliveryPlanner planner() {
    return planner;
  }

  public DeliverySender sender() {
    return sender;
  }

  /** True when the channel may get a test message now; it then counts towards the limit. */
  public boolean admitTest(Channel channel) {
    return limiter.admitTest(channel);
  }

  /**
   * Sends a test message and waits for the answer.
   *
   * @return why it failed; empty when it was accepted
   */
  public Optional<Failure> test(Channel channel) throws InterruptedException {
    return sender
        .call(
            channel,
            "test-" + clock.millis(),
            NotificationText.test(channel.name()),
            JsonNodeFactory.instance.objectNode().put("event", "test"))
        .failure();
  }

  /** Ends the calls in progress as if they had timed out. */
  @Override
  public void close() {
    http.close();
  }
}
