// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run.
 *
 * @param seconds the run second by second, starting {@link OutageSimulation#WARM_UP} before the
 *     outage
 * @param requests new requests since the start of the outage
 * @param attempts attempts sent for these requests: first attempts and retries
 * @param succeeded how many of these requests were answered in time
 * @param rejectedByBudget retries of these requests that the budget rejected
 * @param drainTime the time from the end of the outage until the service keeps up for good: in the
 *     5 seconds from then, at least 90 % of the new requests are answered at their first attempt,
 *     and the share never falls below half again; null if that does not happen within the horizon
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
   * @param sent attempts sent, including retries
   * @param answered requests answered in time in this second
   * @param waiting attempts that the service has not finished at the end of the second, including
   *     those that the client has given up on
   */
  public record Second(int arrived, int sent, int answered, int waiting) {}

  /** Returns the highest number of attempts sent in one second. */
  public int peak() {
    return seconds.stream().mapToInt(Second::sent).max().orElse(0);
  }

  /** Returns the peak as a multiple of the scenario's normal load. */
  public double peakLoad(Scenario scenario) {
    return peak() / (scenario.load() * scenario.capacity());
  }

  /** Returns the average number of attempts per request. */
  public double amplification() {
    return requests == 0 ? 1 : (double) attempts / requests;
  }

  /** Returns the share of requests that were answered in time. */
  public double successRate() {
    return requests == 0 ? 1 : (double) succeeded / requests;
  }
}
