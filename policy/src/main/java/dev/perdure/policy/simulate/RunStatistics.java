// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.List;
import java.util.stream.IntStream;

/** Counts what happens in a run: per second, and in total since the start of the outage. */
final class RunStatistics {

  private final ScenarioTimes times;
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

  RunStatistics(ScenarioTimes times) {
    this.times = times;
    this.recovery = new RecoveryDetector(times.outageEnd());
    this.arrived = new int[times.seconds()];
    this.answeredFirstTry = new int[times.seconds()];
    this.sent = new int[times.seconds()];
    this.answered = new int[times.seconds()];
    this.waiting = new int[times.seconds()];
  }

  /** Closes every second that is over. */
  void closeSeconds(long now, SimulatedService service) {
    for (; ended < ScenarioTimes.secondOf(now); ended++) {
      waiting[ended] = Math.toIntExact(service.backlog((ended + 1) * ScenarioTimes.SECOND));
      recovery.secondEnded(ended, arrived[ended], answeredFirstTry[ended]);
    }
  }

  void arrived(long now) {
    arrived[ScenarioTimes.secondOf(now)]++;
    requests += counted(now);
  }

  /** Counts an attempt, sent for a request that arrived at {@code arrival}. */
  void sent(long now, long arrival) {
    sent[ScenarioTimes.secondOf(now)]++;
    totalSent++;
    attempts += counted(arrival);
  }

  /** Counts an answer in time and before the end of the run. */
  void answered(long then, long arrival) {
    answered[ScenarioTimes.secondOf(then)]++;
    succeeded += counted(arrival);
  }

  /** Counts a first attempt that is answered in time. */
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
    return arrival >= times.outageStart() ? 1 : 0;
  }

  RecoveryDetector recovery() {
    return recovery;
  }

  /** Returns the number of all attempts, including those before the outage. */
  long totalSent() {
    return totalSent;
  }

  /** Returns the number of all failed requests, including those before the outage. */
  long totalFailed() {
    return totalFailed;
  }

  OutageResult result(StabilityVerdict verdict) {
    List<OutageResult.Second> seconds =
        IntStream.range(0, times.seconds())
            .mapToObj(i -> new OutageResult.Second(arrived[i], sent[i], answered[i], waiting[i]))
            .toList();
    return new OutageResult(
        seconds, requests, attempts, succeeded, rejectedByBudget, recovery.drainTime(), verdict);
  }
}
