// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DurableBenchOptions.Scenario;

/**
 * What one round of one subject brought.
 *
 * @param submitNanos until the last submission was durable
 * @param runNanos from the start of the work to the last end
 * @param totalNanos from the first submission to the last end
 * @param counts what the tables said afterwards
 */
record RoundResult(
    String contender,
    Scenario scenario,
    int tasks,
    long submitNanos,
    long runNanos,
    long totalNanos,
    DurableContender.Counts counts,
    DatabaseUsage usage) {

  private static final double NANOS = 1e9;

  double submitRate() {
    return tasks * NANOS / submitNanos;
  }

  double runRate() {
    return tasks * NANOS / runNanos;
  }

  double rate() {
    return tasks * NANOS / totalNanos;
  }
}
