// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.List;
import java.util.stream.IntStream;

/** Counts what happens in a run: second by second, and in all from the start of the outage on. */
final class RunRecorder {

  private final Times times;
  private final Drain drain;
  private final int[] arrived;
  private final int[] prompt;
  private final int[] sent;
  private final int[] answered;
  private final int[] waiting;
  private int ended;

  private long requests;
  private long attempts;
  private long succeeded;
  private long refused;
  private long allSent;
  private long allFailed;

  RunRecorder(Times times) {
    this.times = times;
    this.drain = new Drain(times.outageEnd());
    this.arrived = new int[times.seconds()];
    this.prompt = new int[times.seconds()];
    this.sent = new int[times.seconds()];
    this.answered = new int[times.seconds()];
    this.waiting = new int[times.seconds()];
  }

  /** Ends every second that is over by now. */
  void endSeconds(long now, Service service) {
    for (; ended < Times.secondOf(now); ended++) {
      waiting[ended] = Math.toIntExact(service.waiting((ended + 1) * Times.SECOND));
      drain.secondEnded(ended, arrived[ended], prompt[ended]);
    }
  }

  void arrived(long now) {
    arrived[Times.secondOf(now)]++;
    requests += counted(now);
  }

  /** An attempt was sent for a request that arrived then. */
  void sent(long now, long arrival) {
    sent[Times.secondOf(now)]++;
    allSent++;
    attempts += counted(arrival);
  }

  /** The answer comes in time, and before the end of the run. */
  void answered(long then, long arrival) {
    answered[Times.secondOf(then)]++;
    succeeded += counted(arrival);
  }

  /** The first attempt of a request that arrived then is answered in time. */
  void prompt(long arrival) {
    prompt[Times.secondOf(arrival)]++;
  }

  void failed() {
    allFailed++;
  }

  void refused(long arrival) {
    refused += counted(arrival);
  }

  private int counted(long arrival) {
    return arrival >= times.outageStart() ? 1 : 0;
  }

  Drain drain() {
    return drain;
  }

  /** All attempts, also those from before the outage. */
  long allSent() {
    return allSent;
  }

  /** All requests that were given up, also those from before the outage. */
  long allFailed() {
    return allFailed;
  }

  Run run(Verdict verdict) {
    List<Run.Second> seconds =
        IntStream.range(0, times.seconds())
            .mapToObj(i -> new Run.Second(arrived[i], sent[i], answered[i], waiting[i]))
            .toList();
    return new Run(seconds, requests, attempts, succeeded, refused, drain.time(), verdict);
  }
}
