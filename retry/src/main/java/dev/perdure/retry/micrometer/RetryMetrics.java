// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.micrometer;

import static java.util.Objects.requireNonNull;

import dev.perdure.policy.Failure;
import dev.perdure.retry.RetryListener;
import dev.perdure.retry.StopReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Locale;

/**
 * Counts attempts in a Micrometer registry. Share one instance between all retries of an
 * application.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><td>{@code retry.attempts}</td><td>counter</td><td>attempts, by {@code operation}, {@code
 *       outcome}: {@code success}, {@code retry}, or the {@link StopReason} in lower case such as
 *       {@code exhausted}, and {@code reason}: the simple name of the exception, or else the HTTP
 *       status, or else {@code Unknown}; {@code none} after a success</td></tr>
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

  private static final String OPERATION = "operation";
  private static final String NO_REASON = "none";
  private static final double MILLIS_PER_SECOND = 1_000;

  private final LabelValues operations = new LabelValues(MAX_LABEL_VALUES);
  private final LabelValues reasons = new LabelValues(MAX_LABEL_VALUES);
  private final MeterProvider<Counter> attempts;
  private final MeterProvider<DistributionSummary> delays;

  private RetryMetrics(MeterRegistry registry) {
    attempts =
        Counter.builder("retry.attempts")
            .description("Attempts by operation, outcome and reason of the failure")
            .withRegistry(registry);
    delays =
        DistributionSummary.builder("retry.delay")
            .description("Delays before retries")
            .baseUnit("seconds")
            .withRegistry(registry);
  }

  /** Creates a listener that writes to this registry. */
  public static RetryMetrics of(MeterRegistry registry) {
    return new RetryMetrics(requireNonNull(registry, "registry"));
  }

  @Override
  public void onRetry(RetryEvent event) {
    count(event.operation(), "retry", reasons.bounded(reason(event.failure())));
    delays
        .withTags(
            OPERATION,
            operations.bounded(event.operation()),
            "attempt",
            bucket(event.attempt() + 1))
        .record(seconds(event.delay()));
  }

  @Override
  public void onGiveUp(GiveUpEvent event) {
    if (!event.whileWaiting()) {
      String outcome = event.reason().name().toLowerCase(Locale.ROOT);
      count(event.operation(), outcome, reasons.bounded(reason(event.failure())));
    }
  }

  @Override
  public void onSuccess(SuccessEvent event) {
    count(event.operation(), "success", NO_REASON);
  }

  private void count(String operation, String outcome, String reason) {
    attempts
        .withTags(OPERATION, operations.bounded(operation), "outcome", outcome, "reason", reason)
        .increment();
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
