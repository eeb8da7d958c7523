// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.Options.Scenario;

/**
 * What one round of one subject brought.
 *
 * @param submitNanos until the last submission was durable
 * @param runNanos from the start of the work to the last end
 * @param allNanos from the first submission to the last end
 * @param counts what the tables said afterwards
 */
record Figures(
    String subject,
    Scenario scenario,
    int tasks,
    long submitNanos,
    long runNanos,
    long allNanos,
    Contender.Counts counts,
    Usage usage) {

  private static final double NANOS = 1e9;

  double submitRate() {
    return tasks * NANOS / submitNanos;
  }

  double runRate() {
    return tasks * NANOS / runNanos;
  }

  double rate() {
    return tasks * NANOS / allNanos;
  }
}
