// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.List;
import java.util.stream.IntStream;

/** Counts what happens in a run: second by second, and in all from the start of the outage on. */
final class RunStatistics {

  private final ScenarioTimes scenarioTimes;
  private final RecoveryDetector recovery;
  private final int[] arrived;
  private final int[] answeredFirstTry;
  private final int[] sent;
  private final int[] answered;
  private final int[] waiting;
  private int ended;

  private long requests;
  private long attempts;
  private long succeeded;
  private long rejectedByBudget;
  private long totalSent;
  private long totalFailed;

  RunStatistics(ScenarioTimes scenarioTimes) {
    this.scenarioTimes = scenarioTimes;
    this.recovery = new RecoveryDetector(scenarioTimes.outageEnd());
    this.arrived = new int[scenarioTimes.seconds()];
    this.answeredFirstTry = new int[scenarioTimes.seconds()];
    this.sent = new int[scenarioTimes.seconds()];
    this.answered = new int[scenarioTimes.seconds()];
    this.waiting = new int[scenarioTimes.seconds()];
  }

  /** Ends every second that is over by now. */
  void closeSeconds(long now, SimulatedService simulatedService) {
    for (; ended < ScenarioTimes.secondOf(now); ended++) {
      waiting[ended] =
          Math.toIntExact(simulatedService.backlog((ended + 1) * ScenarioTimes.SECOND));
      recovery.secondEnded(ended, arrived[ended], answeredFirstTry[ended]);
    }
  }

  void arrived(long now) {
    arrived[ScenarioTimes.secondOf(now)]++;
    requests += counted(now);
  }

  /** An attempt was sent for a request that arrived then. */
  void sent(long now, long arrival) {
    sent[ScenarioTimes.secondOf(now)]++;
    totalSent++;
    attempts += counted(arrival);
  }

  /** The answer comes in time, and before the end of the run. */
  void answered(long then, long arrival) {
    answered[ScenarioTimes.secondOf(then)]++;
    succeeded += counted(arrival);
  }

  /** The first attempt of a request that arrived then is answered in time. */
  void answeredFirstTry(long arrival) {
    answeredFirstTry[ScenarioTimes.secondOf(arrival)]++;
  }

  void failed() {
    totalFailed++;
  }

  void rejectedByBudget(long arrival) {
    rejectedByBudget += counted(arrival);
  }

  private int counted(long arrival) {
    return arrival >= scenarioTimes.outageStart() ? 1 : 0;
  }

  RecoveryDetector recovery() {
    return recovery;
  }

  /** All attempts, also those from before the outage. */
  long totalSent() {
    return totalSent;
  }

  /** All requests that were given up, also those from before the outage. */
  long totalFailed() {
    return totalFailed;
  }

  OutageResult result(StabilityVerdict stabilityVerdict) {
    List<OutageResult.Second> seconds =
        IntStream.range(0, scenarioTimes.seconds())
            .mapToObj(i -> new OutageResult.Second(arrived[i], sent[i], answered[i], waiting[i]))
            .toList();
    return new OutageResult(
        seconds,
        requests,
        attempts,
        succeeded,
        rejectedByBudget,
        recovery.drainTime(),
        stabilityVerdict);
  }
}
