// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.micrometer;

import static java.util.Objects.requireNonNull;

import dev.perdure.policy.Failure;
import dev.perdure.retry.RetryListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * Counts retries in a Micrometer registry. Share one instance between all retries of an
 * application.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><td>{@code retry.attempts}</td><td>counter</td><td>retries, by {@code operation} and {@code
 *       reason}: the simple name of the exception, or else the HTTP status, or else {@code
 *       Unknown}</td></tr>
 *   <tr><td>{@code retry.delay}</td><td>summary, in seconds</td><td>the actual delay before a retry,
 *       by {@code operation} and {@code attempt}: 1, 2, 3, 4-9, 10+, where 1 is the first
 *       retry</td></tr>
 * </table>
 *
 * <p>A label takes at most {@value #MAX_LABEL_VALUES} values; further values become {@code other}.
 */
@SuppressWarnings("exports") // Every caller has Micrometer.
public final class RetryMetrics implements RetryListener {

  /** The maximum number of values of one label, besides {@code other}. */
  public static final int MAX_LABEL_VALUES = 100;

  private static final double MILLIS_PER_SECOND = 1_000;

  private final MeterRegistry registry;
  private final LabelValues operations = new LabelValues(MAX_LABEL_VALUES);
  private final LabelValues reasons = new LabelValues(MAX_LABEL_VALUES);

  private RetryMetrics(MeterRegistry registry) {
    this.registry = requireNonNull(registry, "registry");
  }

  /** Creates a listener that writes to this registry. */
  public static RetryMetrics of(MeterRegistry registry) {
    return new RetryMetrics(registry);
  }

  @Override
  public void onRetry(RetryEvent event) {
    String operation = operations.bounded(event.operation());
    Counter.builder("retry.attempts")
        .description("Retries by operation and reason")
        .tag("operation", operation)
        .tag("reason", reasons.bounded(reason(event.failure())))
        .register(registry)
        .increment();
    DistributionSummary.builder("retry.delay")
        .description("Delay before retries")
        .baseUnit("seconds")
        .tag("operation", operation)
        .tag("attempt", bucket(event.attempt() + 1))
        .register(registry)
        .record(seconds(event.delay()));
  }

  private static String reason(Failure failure) {
    if (!failure.exceptionTypes().isEmpty()) {
      String name = failure.exceptionTypes().getFirst();
      return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }
    return failure.hasStatus() ? String.valueOf(failure.status()) : "Unknown";
  }

  private static String bucket(long retry) {
    if (retry < 4) {
      return String.valueOf(retry);
    }
    return retry < 10 ? "4-9" : "10+";
  }

  private static double seconds(Duration delay) {
    return delay.toMillis() / MILLIS_PER_SECOND;
  }
}
