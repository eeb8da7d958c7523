// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened in one run.
 *
 * @param seconds second by second, from the start of the watch, which is {@link
 *     OutageSimulation#WARM_UP} before the outage
 * @param requests new requests from the start of the outage on
 * @param attempts what was sent for them: first attempts and retries
 * @param succeeded those of the requests that were answered in time
 * @param rejectedByBudget retries of them that the budget did not allow
 * @param drainTime from the end of the outage until the service keeps up again for good: from then
 *     on, in 5 seconds together, at least 90 % of the new requests are answered at their first
 *     attempt; null when that is never so within the horizon
 */
public record OutageResult(
    List<Second> seconds,
    long requests,
    long attempts,
    long succeeded,
    long rejectedByBudget,
    @Nullable Duration drainTime,
    StabilityVerdict verdict) {

  public OutageResult {
    seconds = List.copyOf(seconds);
  }

  /**
   * One second of a run.
   *
   * @param arrived new requests
   * @param sent attempts sent, retries included
   * @param answered requests answered in time, by the second of the answer
   * @param waiting attempts that the service has not finished at its end, wanted or not
   */
  public record Second(int arrived, int sent, int answered, int waiting) {}

  /** The highest number of attempts sent in one second. */
  public int peak() {
    return seconds.stream().mapToInt(Second::sent).max().orElse(0);
  }

  /** The peak as a multiple of the scenario's normal load. */
  public double peakLoad(Scenario scenario) {
    return peak() / (scenario.load() * scenario.capacity());
  }

  /** How many attempts one request cost on average. */
  public double amplification() {
    return requests == 0 ? 1 : (double) attempts / requests;
  }

  /** The share of the requests that were answered in time. */
  public double successRate() {
    return requests == 0 ? 1 : (double) succeeded / requests;
  }
}
