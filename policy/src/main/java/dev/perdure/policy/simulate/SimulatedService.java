// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/*
 * The service: one attempt after the other, first come, first served, each the same amount of work.
 *
 * Its speed over time is known beforehand, and it never skips an attempt. So the end of an attempt
 * is known when it comes in, and no queue has to be kept: it is enough to know how much work has
 * been taken in. Work is measured in nanoseconds at full speed. done(t) is all the work that the
 * service could have done by t, busy or not:
 *
 *   done
 *    │            ╱      slope 1
 *    │          ╱
 *    │     ___╱          slope `remaining` in the outage
 *    │   ╱
 *    │ ╱                 slope 1
 *    └────┴───┴────── t
 *       start end
 *
 * An attempt begins when the one before it is finished or when it comes in, whichever is later, and
 * ends when `done` has grown by one attempt's work. What is being worked on when the outage begins
 * or ends is not lost: the rest of it goes on at the new speed.
 */
final class SimulatedService {

  private final long work;
  private final long outageStart;
  private final long outageEnd;
  private final double outageSpeed;

  /** The value of {@code done} at which all work taken in so far is finished. */
  private long acceptedWork;

  SimulatedService(ScenarioTimes scenarioTimes) {
    this.work = scenarioTimes.work();
    this.outageStart = scenarioTimes.outageStart();
    this.outageEnd = scenarioTimes.outageEnd();
    this.outageSpeed = scenarioTimes.remaining();
  }

  /** Takes in an attempt and says when it will be finished. Times never go back. */
  long submit(long now) {
    acceptedWork = Math.max(acceptedWork, done(now)) + work;
    return timeOf(acceptedWork);
  }

  /** How many attempts are not finished, the one being worked on included. */
  long backlog(long now) {
    return Math.ceilDiv(Math.max(0, acceptedWork - done(now)), work);
  }

  private long done(long now) {
    if (now <= outageStart) {
      return now;
    }
    long inOutage = Math.min(now, outageEnd) - outageStart;
    return outageStart + (long) (inOutage * outageSpeed) + Math.max(0, now - outageEnd);
  }

  /** The first instant at which so much is done. */
  private long timeOf(long wanted) {
    if (wanted <= outageStart) {
      return wanted;
    }
    long doneAtEnd = done(outageEnd);
    return wanted > doneAtEnd
        ? outageEnd + wanted - doneAtEnd
        : outageStart + (long) Math.ceil((wanted - outageStart) / outageSpeed);
  }
}
