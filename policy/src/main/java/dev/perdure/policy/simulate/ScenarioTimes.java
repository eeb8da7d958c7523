// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/**
 * The times of a run, in nanoseconds from its start. The end is a whole second.
 *
 * @param work the time that an attempt takes at full speed
 * @param remaining the share of its speed that the service keeps in the outage
 */
record ScenarioTimes(
    long work, long outageStart, long outageEnd, double remaining, long timeout, long end) {

  static final long SECOND = 1_000_000_000;

  static ScenarioTimes of(Scenario scenario) {
    long outageStart = OutageSimulation.WARM_UP.toNanos();
    long outageEnd = outageStart + scenario.outage().toNanos();
    long end = Math.ceilDiv(outageEnd + scenario.horizon().toNanos(), SECOND) * SECOND;
    return new ScenarioTimes(
        work(scenario.capacity()),
        outageStart,
        outageEnd,
        scenario.remaining(),
        scenario.timeout().toNanos(),
        end);
  }

  static long work(int capacity) {
    return Math.round((double) SECOND / capacity);
  }

  int seconds() {
    return secondOf(end);
  }

  static int secondOf(long time) {
    return Math.toIntExact(time / SECOND);
  }
}
