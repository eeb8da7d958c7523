// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.DeliverySender;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.task.DeliveryPlanner;
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
import java.util.List;

/**
 * Wires up webhooks: the handler of {@code on_start} tasks, and the planner and sender of
 * deliveries. Starts and deliveries have separate HTTP senders, so that callees that hang do not
 * delay deliveries.
 */
public final class Webhooks implements AutoCloseable {

  /** The queue of tasks with an {@code on_start}. */
  public static final String QUEUE = "perdure:webhook";

  /** Longer than the longest call of a delivery. */
  private static final Duration MAX_DELIVERY_TIME = ActionJson.MAX_DELIVERY_TIMEOUT.multipliedBy(2);

  private final Configuration configuration;
  private final HandleTokens tokens;
  private final StoredActions storedActions;
  private final StoredSubmission storedSubmission;
  private final ActionJson reader;
  private final RequestComposer composer;
  private final CallbackUrl callback;
  private final CallTelemetry telemetry;
  private final BatchDataReader batches;
  private final GuardedHttpSender starts;
  private final GuardedHttpSender deliveries;

  private Webhooks(
      Configuration configuration,
      HandleTokens tokens,
      SecretEncryptor encryptor,
      BatchReader batches,
      CallTelemetry telemetry) {
    this.configuration = configuration;
    this.tokens = tokens;
    this.storedActions = new StoredActions(encryptor);
    this.storedSubmission = new StoredSubmission(encryptor);
    this.batches = new BatchDataReader(batches);
    this.telemetry = telemetry;
    this.callback = new CallbackUrl(tokens);
    this.composer =
        new RequestComposer(configuration.get(WebhookSettings.WEBHOOK_SECRET).orElse(null));
    AddressGuard guard = new AddressGuard(configuration.get(WebhookSettings.WEBHOOK_ALLOW));
    this.reader = new ActionJson(guard);
    SenderOptions defaults = SenderOptions.of(telemetry.clock(), telemetry.monotonic());
    this.starts = sender(guard, startOptions(defaults));
    this.deliveries =
        sender(guard, defaults.withConcurrency(DeliveryOptions.DEFAULT.concurrency()));
  }

  /**
   * Opens the senders, whose threads run until {@link #close}.
   *
   * @param tokens issues the handles of callees
   * @param encryptor encrypts stored actions
   * @param batches reads what bodies say about the batch and the parents of a task
   */
  public static Webhooks create(
      Configuration configuration,
      HandleTokens tokens,
      SecretEncryptor encryptor,
      BatchReader batches,
      CallTelemetry telemetry) {
    return new Webhooks(configuration, tokens, encryptor, batches, telemetry);
  }

  private static GuardedHttpSender sender(AddressGuard guard, SenderOptions options) {
    return GuardedHttpSender.create(guard, NameResolver.system(), options);
  }

  /** A claimed task already has a slot, so its call is never throttled. */
  private SenderOptions startOptions(SenderOptions defaults) {
    return defaults.withConcurrency(slots()).withPerHost(slots());
  }

  private int slots() {
    return configuration.get(WebhookSettings.WORKER_WEBHOOK_CONCURRENCY);
  }

  /**
   * Makes the engine plan and send deliveries.
   *
   * @param notificationPlanner plans those whose trigger is {@link StoredActions#NOTIFY}
   * @param notificationSender sends them
   */
  public void configure(
      EngineBuilder builder,
      DeliveryPlanner notificationPlanner,
      DeliverySender notificationSender) {
    WebhookDeliverySender sender =
        new WebhookDeliverySender(reader, storedActions, composer, deliveries, batches, telemetry);
    DeliveryOptions options = DeliveryOptions.DEFAULT.withSendTimeout(MAX_DELIVERY_TIME);
    builder
        .slots(slots())
        .deliveryPlanner(
            new JoinedPlanner(
                List.of(new WebhookDeliveryPlanner(telemetry.tracing()), notificationPlanner)))
        .deliverySender(
            delivery ->
                delivery.message().trigger().equals(StoredActions.NOTIFY)
                    ? notificationSender.send(delivery)
                    : sender.send(delivery),
            configuration
                .get(WebhookSettings.DELIVERY_RETRY)
                .map(options::withPolicy)
                .orElse(options));
  }

  /** Registers the handler of {@code on_start} tasks with an engine that has not started yet. */
  public void register(Engine engine) {
    engine.registerQueue(
        QUEUE,
        new StartWebhookHandler(
            reader, storedActions, composer, starts, callback, batches, telemetry),
        HandlerOptions.concurrency(slots()));
  }

  /** Sets the address at which callees reach this server. Call it before the engine starts. */
  public void callbackBaseUrl(URI url) {
    callback.setBaseUrl(url);
  }

  public ActionJson reader() {
    return reader;
  }

  public StoredActions storedActions() {
    return storedActions;
  }

  public StoredSubmission storedSubmission() {
    return storedSubmission;
  }

  public HandleTokens handles() {
    return tokens;
  }

  /** Ends the calls in progress as if they had timed out. */
  @Override
  public void close() {
    starts.close();
    deliveries.close();
  }
}
