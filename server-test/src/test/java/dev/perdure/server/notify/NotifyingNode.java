// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.notify;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineEnvironment;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.server.ServerSettings;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.access.HandleKeys;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.trace.Tracing;
import dev.perdure.server.webhook.CallTelemetry;
import dev.perdure.server.webhook.WebhookSettings;
import dev.perdure.server.webhook.Webhooks;
import dev.perdure.server.webhook.encryption.EncryptionKeys;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.store.jdbc.JdbcStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/** A node that does its work step by step, on a clock that the test moves. */
final class NotifyingNode implements AutoCloseable {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final JdbcStore store;
  private final Webhooks webhooks;
  private final Notifications notifications;
  private final ManualEngine manual;

  /**
   * @param clock the database's clock, which all nodes share
   */
  NotifyingNode(String url, AtomicReference<Instant> clock, String channels) {
    Configuration configuration =
        ServerSettings.configuration(
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                ChannelSettings.CHANNELS,
                channels));
    SplittableRandom random = new SplittableRandom(1);
    store = JdbcStore.builder().url(url).clock(clock::get).open();
    notifications =
        Notifications.create(
            configuration,
            store.channels(),
            store.outbox(),
            clock::get,
            () -> Duration.ofNanos(System.nanoTime()));
    webhooks =
        Webhooks.create(
            configuration,
            HandleKeys.load(store.access().secrets(), random),
            new SecretEncryptor(EncryptionKeys.parse(""), random),
            store.batches(),
            new CallTelemetry(
                clock::get,
                () -> Duration.ofNanos(System.nanoTime()),
                new EngineListener() {},
                Tracing.OFF));
    var builder =
        Engine.builder(store)
            .environment(
                new EngineEnvironment(
                    clock::get,
                    () -> Duration.between(START, clock.get()),
                    random,
                    (name, work) -> {
                      work.run();
                      return () -> {};
                    }));
    webhooks.configure(builder, notifications.planner(), notifications.sender());
    manual = builder.buildManual();
    manual
        .engine()
        .register(
            "job",
            String.class,
            (payload, context) -> {
              throw new IllegalStateException(payload);
            });
  }

  Engine engine() {
    return manual.engine();
  }

  JdbcStore store() {
    return store;
  }

  /** Submits tasks that fail once, and runs them. */
  void failTasks(int count, String channel) {
    for (int i = 0; i < count; i++) {
      engine()
          .submit(
              NewTask.of("job", "no luck " + i)
                  .actions(
                      """
                      {"notify": [{"on": ["failure"], "channel": "%s"}]}"""
                          .formatted(channel)));
    }
    manual.renew();
    while (manual.claim() + manual.settle() > 0) {
      // Until all have ended.
    }
  }

  /** Sends what is due, and returns how many results were written. */
  int deliver() {
    int all = 0;
    for (int step = manual.deliver(); step > 0; step = manual.deliver()) {
      all += step;
    }
    return all;
  }

  @Override
  public void close() {
    notifications.close();
    webhooks.close();
    store.close();
  }
}
