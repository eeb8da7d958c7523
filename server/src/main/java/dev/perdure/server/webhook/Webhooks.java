// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.Settings;
import dev.perdure.server.webhook.action.ActionJson;
import dev.perdure.server.webhook.action.CallComposer;
import dev.perdure.server.webhook.guard.AddressGuard;
import dev.perdure.server.webhook.handle.Handles;
import dev.perdure.server.webhook.seal.Sealer;
import dev.perdure.server.webhook.send.NameLookup;
import dev.perdure.server.webhook.send.SenderOptions;
import dev.perdure.server.webhook.send.VettedSender;
import java.net.URI;
import java.time.Duration;

/**
 * All that webhooks need, put together: the lane of tasks that start with a call, and the outbox of
 * what others are told. They have senders of their own, so that callees who hang do not keep the
 * news of others waiting.
 */
public final class Webhooks implements AutoCloseable {

  /** Under this name tasks with an {@code on_start} are claimed. */
  public static final String LANE = "perdure:webhook";

  /** More than the longest call of a delivery. */
  private static final Duration LONGEST_DELIVERY = ActionJson.LONGEST_TELLING.multipliedBy(2);

  private final Configuration configuration;
  private final Handles handles;
  private final KeptActions kept;
  private final ActionJson reader;
  private final CallComposer composer;
  private final CallbackUrl callback;
  private final CallWatch watch;
  private final VettedSender starts;
  private final VettedSender deliveries;

  private Webhooks(Configuration configuration, Handles handles, Sealer sealer, CallWatch watch) {
    this.configuration = configuration;
    this.handles = handles;
    this.kept = new KeptActions(sealer);
    this.watch = watch;
    this.callback = new CallbackUrl(handles);
    this.composer = new CallComposer(configuration.get(Settings.WEBHOOK_SECRET).orElse(null));
    AddressGuard guard = new AddressGuard(configuration.get(Settings.WEBHOOK_ALLOW));
    this.reader = new ActionJson(guard);
    SenderOptions usual = SenderOptions.of(watch.clock(), watch.monotonic());
    this.starts = sender(guard, startOptions(usual));
    this.deliveries = sender(guard, usual.withConcurrency(DeliveryOptions.DEFAULT.concurrency()));
  }

  /**
   * Opens the senders, which have threads until they are closed.
   *
   * @param handles by which callees settle
   * @param sealer seals what is kept
   */
  public static Webhooks open(
      Configuration configuration, Handles handles, Sealer sealer, CallWatch watch) {
    return new Webhooks(configuration, handles, sealer, watch);
  }

  private static VettedSender sender(AddressGuard guard, SenderOptions options) {
    return VettedSender.create(guard, NameLookup.system(), options);
  }

  /** A claimed task has its slot; that there were no room for its call would help nobody. */
  private SenderOptions startOptions(SenderOptions usual) {
    return usual.withConcurrency(slots()).withPerHost(slots());
  }

  private int slots() {
    return configuration.get(Settings.WORKER_WEBHOOK_CONCURRENCY);
  }

  /** Lets an engine that is being built tell and deliver. */
  public void setUp(EngineBuilder builder) {
    WebhookCourier courier = new WebhookCourier(reader, kept, composer, deliveries, watch);
    DeliveryOptions usual = DeliveryOptions.DEFAULT.withLongest(LONGEST_DELIVERY);
    builder
        .slots(slots())
        .announcer(new EndAnnouncer(watch.tracing()))
        .courier(
            courier,
            configuration.get(Settings.DELIVERY_RETRY).map(usual::withPolicy).orElse(usual));
  }

  /** Lets an engine that has not started do tasks by calling. */
  public void register(Engine engine) {
    engine.registerLane(
        LANE,
        new StartCaller(reader, kept, composer, starts, callback, watch),
        HandlerOptions.concurrency(slots()));
  }

  /** Callees find the server there; to be said before the engine starts. */
  public void callbacksTo(URI url) {
    callback.base(url);
  }

  public ActionJson reader() {
    return reader;
  }

  public KeptActions kept() {
    return kept;
  }

  public Handles handles() {
    return handles;
  }

  /** Ends the calls under way, as if their time had run out. */
  @Override
  public void close() {
    starts.close();
    deliveries.close();
  }
}
