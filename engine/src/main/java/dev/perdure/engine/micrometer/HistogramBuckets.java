// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.micrometer;

import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Histogram bounds for durations, so that quantiles can be drawn. Twelve each, because every bound
 * is one more series for every combination of labels.
 */
record HistogramBuckets(List<Duration> bounds) {

  /** Calls and statements. */
  static final HistogramBuckets CALLS =
      of("0.001S 0.0025S 0.005S 0.01S 0.025S 0.05S 0.1S 0.25S 1S 5S 10S 30S");

  /** Attempts, and how long tasks wait for one. */
  static final HistogramBuckets WORK = of("0.005S 0.025S 0.1S 0.5S 1S 5S 15S 1M 5M 30M 3H 24H");

  /** Delays before retries. */
  static final HistogramBuckets DELAYS = of("0.25S 1S 5S 15S 1M 5M 15M 1H 6H 24H 168H 720H");

  private static HistogramBuckets of(String bounds) {
    return new HistogramBuckets(
        Stream.of(bounds.split(" ", -1)).map(text -> Duration.parse("PT" + text)).toList());
  }

  /** Timers of this name in the registry, one for each combination of labels. */
  MeterProvider<Timer> timers(String name, String description, MeterRegistry registry) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(bounds.toArray(Duration[]::new))
        .withRegistry(registry);
  }
}
