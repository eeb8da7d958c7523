// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.micrometer.StoreGauges;
import dev.perdure.engine.spi.TaskReader;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.function.Supplier;

/** What Prometheus is told. Safe to share. */
public final class PrometheusMetrics {

  /** Counting all tasks is dear: it is not done for every scrape of every Prometheus. */
  private static final Duration GAUGE_CACHE_TTL = Duration.ofSeconds(10);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Supplier<Duration> clock;
  private final StoreGauges gauges;
  private Duration countedAt;

  private PrometheusMetrics(TaskReader reader, Supplier<Duration> clock) {
    this.clock = clock;
    this.gauges = StoreGauges.bind(reader, registry);
    this.countedAt = clock.get().minus(GAUGE_CACHE_TTL);
  }

  /** What the store holds is counted when it is asked for. */
  public static PrometheusMetrics of(TaskReader reader, Supplier<Duration> clock) {
    return new PrometheusMetrics(reader, clock);
  }

  public MeterRegistry registry() {
    return registry;
  }

  /** In Prometheus's text format. */
  String scrape() {
    if (isDue()) {
      refresh();
    }
    return registry.scrape();
  }

  /** True for one of those who ask at once; the others go on with the counts there are. */
  private synchronized boolean isDue() {
    Duration now = clock.get();
    boolean due = now.minus(countedAt).compareTo(GAUGE_CACHE_TTL) >= 0;
    countedAt = due ? now : countedAt;
    return due;
  }

  private void refresh() {
    if (!gauges.refresh()) {
      // What this node counted is worth telling also, and all the more, while the store is away.
      registry.counter("store.errors", "component", "metrics").increment();
    }
  }
}
