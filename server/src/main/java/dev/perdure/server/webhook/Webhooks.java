// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.server.access.HandleTokens;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.RequestComposer;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.send.GuardedHttpSender;
import dev.perdure.server.webhook.send.NameResolver;
import dev.perdure.server.webhook.send.SenderOptions;
import java.net.URI;
import java.time.Duration;

/**
 * All that webhooks need, put together: the lane of tasks that start with a call, and the outbox of
 * what others are told. They have senders of their own, so that callees who hang do not keep the
 * news of others waiting.
 */
public final class Webhooks implements AutoCloseable {

  /** Under this name tasks with an {@code on_start} are claimed. */
  public static final String QUEUE = "perdure:webhook";

  /** More than the longest call of a delivery. */
  private static final Duration MAX_DELIVERY_TIME = ActionJson.MAX_DELIVERY_TIMEOUT.multipliedBy(2);

  private final Configuration configuration;
  private final HandleTokens handleTokens;
  private final StoredActions storedActions;
  private final ActionJson reader;
  private final RequestComposer composer;
  private final CallbackUrl callback;
  private final CallTelemetry telemetry;
  private final GuardedHttpSender starts;
  private final GuardedHttpSender deliveries;

  private Webhooks(
      Configuration configuration,
      HandleTokens handleTokens,
      SecretEncryptor secretEncryptor,
      CallTelemetry watch) {
    this.configuration = configuration;
    this.handleTokens = handleTokens;
    this.storedActions = new StoredActions(secretEncryptor);
    this.telemetry = watch;
    this.callback = new CallbackUrl(handleTokens);
    this.composer =
        new RequestComposer(configuration.get(WebhookSettings.WEBHOOK_SECRET).orElse(null));
    AddressGuard guard = new AddressGuard(configuration.get(WebhookSettings.WEBHOOK_ALLOW));
    this.reader = new ActionJson(guard);
    SenderOptions usual = SenderOptions.of(watch.clock(), watch.monotonic());
    this.starts = sender(guard, startOptions(usual));
    this.deliveries = sender(guard, usual.withConcurrency(DeliveryOptions.DEFAULT.concurrency()));
  }

  /**
   * Opens the senders, which have threads until they are closed.
   *
   * @param handleTokens by which callees settle
   * @param secretEncryptor seals what is kept
   */
  public static Webhooks create(
      Configuration configuration,
      HandleTokens handleTokens,
      SecretEncryptor secretEncryptor,
      CallTelemetry watch) {
    return new Webhooks(configuration, handleTokens, secretEncryptor, watch);
  }

  private static GuardedHttpSender sender(AddressGuard guard, SenderOptions options) {
    return GuardedHttpSender.create(guard, NameResolver.system(), options);
  }

  /** A claimed task has its slot; that there were no room for its call would help nobody. */
  private SenderOptions startOptions(SenderOptions usual) {
    return usual.withConcurrency(slots()).withPerHost(slots());
  }

  private int slots() {
    return configuration.get(WebhookSettings.WORKER_WEBHOOK_CONCURRENCY);
  }

  /** Lets an engine that is being built tell and deliver. */
  public void configure(EngineBuilder builder) {
    WebhookDeliverySender courier =
        new WebhookDeliverySender(reader, storedActions, composer, deliveries, telemetry);
    DeliveryOptions usual = DeliveryOptions.DEFAULT.withSendTimeout(MAX_DELIVERY_TIME);
    builder
        .slots(slots())
        .deliveryPlanner(new WebhookDeliveryPlanner(telemetry.tracing()))
        .deliverySender(
            courier,
            configuration.get(WebhookSettings.DELIVERY_RETRY).map(usual::withPolicy).orElse(usual));
  }

  /** Lets an engine that has not started do tasks by calling. */
  public void register(Engine engine) {
    engine.registerQueue(
        QUEUE,
        new StartWebhookHandler(reader, storedActions, composer, starts, callback, telemetry),
        HandlerOptions.concurrency(slots()));
  }

  /** Callees find the server there; to be said before the engine starts. */
  public void callbackBaseUrl(URI url) {
    callback.setBaseUrl(url);
  }

  public ActionJson reader() {
    return reader;
  }

  public StoredActions storedActions() {
    return storedActions;
  }

  public HandleTokens handles() {
    return handleTokens;
  }

  /** Ends the calls under way, as if their time had run out. */
  @Override
  public void close() {
    starts.close();
    deliveries.close();
  }
}
