// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

/*
 * A service that processes attempts one after the other, first come, first served. All attempts take
 * the same amount of work.
 *
 * The speed of the service over time is known in advance, and it never skips an attempt. So the end
 * of an attempt is known when it arrives, and no queue is needed: it is enough to track how much
 * work was accepted. Work is measured in nanoseconds at full speed. done(t) is the work that the
 * service could have done by time t, busy or not:
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
 * An attempt begins when it arrives or when the previous one is finished, whichever is later, and
 * ends when `done` has grown by the work of one attempt. An attempt that is in progress when the
 * outage begins or ends is not lost: it continues at the new speed.
 */
final class SimulatedService {

  private final long work;
  private final long outageStart;
  private final long outageEnd;
  private final double outageSpeed;

  /** The value of {@code done} at which all accepted work is finished. */
  private long acceptedWork;

  SimulatedService(ScenarioTimes times) {
    this.work = times.work();
    this.outageStart = times.outageStart();
    this.outageEnd = times.outageEnd();
    this.outageSpeed = times.remaining();
  }

  /** Accepts an attempt and returns when it will be finished. {@code now} must not go back. */
  long submit(long now) {
    acceptedWork = Math.max(acceptedWork, done(now)) + work;
    return timeOf(acceptedWork);
  }

  /** Returns the number of unfinished attempts, including the one in progress. */
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

  /** Returns the first time at which {@code done} reaches {@code target}. */
  private long timeOf(long target) {
    if (target <= outageStart) {
      return target;
    }
    long doneAtEnd = done(outageEnd);
    return target > doneAtEnd
        ? outageEnd + target - doneAtEnd
        : outageStart + (long) Math.ceil((target - outageStart) / outageSpeed);
  }
}
