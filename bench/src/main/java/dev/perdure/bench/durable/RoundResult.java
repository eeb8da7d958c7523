// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.bench.durable.DurableBenchOptions.Scenario;

/**
 * The result of one round of one contender.
 *
 * @param submitNanos time from the first submission until the last one was durable
 * @param runNanos time from the start of the workers to the end of the last task
 * @param totalNanos time from the first submission to the end of the last task
 * @param counts the state of the tables after the round
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
