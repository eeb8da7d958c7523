// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.micrometer.EngineMetrics;
import dev.perdure.engine.micrometer.LimitGauges;
import dev.perdure.engine.micrometer.StoreGauges;
import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.spi.OverviewStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The Prometheus registry behind {@code GET /metrics}. Safe to share. */
public final class PrometheusMetrics {

  /** Counting all tasks is expensive, so frequent scrapes share one count. */
  private static final Duration GAUGE_CACHE_TTL = Duration.ofSeconds(10);

  private static final String PREFIX = "perdure_";
  private static final Pattern PREFIXED_LINE =
      Pattern.compile("^(# HELP |# TYPE |)" + PREFIX, Pattern.MULTILINE);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Supplier<Duration> clock;
  private final CensusTaker censusTaker;
  private final StoreGauges gauges;
  private final LimitGauges limitGauges;
  private Duration countedAt;

  private PrometheusMetrics(OverviewStore store, LimitReader limits, Supplier<Duration> clock) {
    this.clock = clock;
    this.censusTaker =
        new CensusTaker(
            store::census, clock, work -> Thread.ofVirtual().name("census").start(work));
    this.gauges = StoreGauges.bind(() -> censusTaker.get().backlog(), registry);
    this.limitGauges = LimitGauges.bind(limits, registry);
    this.countedAt = clock.get().minus(GAUGE_CACHE_TTL);
  }

  /** The gauges count the tasks of the store, and read the limits, when they are scraped. */
  public static PrometheusMetrics of(
      OverviewStore store, LimitReader limits, Supplier<Duration> clock) {
    return new PrometheusMetrics(store, limits, clock);
  }

  /** Counts live tasks for the gauges and for the overview. */
  CensusTaker census() {
    return censusTaker;
  }

  public MeterRegistry registry() {
    return registry;
  }

  /**
   * All metrics in the Prometheus text format: first with the prefix {@value #PREFIX}, then with
   * the short names.
   */
  String scrape() {
    if (isDue()) {
      refresh();
    }
    String prefixed = registry.scrape();
    return prefixed + PREFIXED_LINE.matcher(prefixed).replaceAll("$1");
  }

  /** True for one of several concurrent scrapes; the others use the counts that exist. */
  private synchronized boolean isDue() {
    Duration now = clock.get();
    boolean due = now.minus(countedAt).compareTo(GAUGE_CACHE_TTL) >= 0;
    countedAt = due ? now : countedAt;
    return due;
  }

  private void refresh() {
    boolean refreshed = gauges.refresh();
    if (!limitGauges.refresh() || !refreshed) {
      // The node's own counters are still reported: they matter most while the store is down.
      EngineMetrics.storeErrors(registry).withTags("component", "metrics").increment();
    }
  }
}
