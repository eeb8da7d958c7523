// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds the second from which the service keeps up again: the first one after the outage from which
 * on, in {@value #WINDOW} seconds together, at least 90 % of the new requests are answered at their
 * first attempt. When the service later falls behind again, so that in so many seconds it is fewer
 * than half, the search begins anew: retries that wait for minutes come back as a second wave.
 *
 * <p>First attempts, since retries that succeed later would make a service look well that turns
 * away every new request. Seconds together, since in a single one a small service sees few requests
 * and one bad one would count too much.
 */
final class RecoveryDetector {

  static final int WINDOW = 5;

  private static final double RECOVERED_SHARE = 0.9;
  private static final double RELAPSED_SHARE = 0.5;
  private static final int NOT_FOUND = -1;

  private final long outageEnd;
  private final int firstSecond;
  private final int[] arrived = new int[WINDOW];
  private final int[] answeredFirstTry = new int[WINDOW];
  private int recoveredSecond = NOT_FOUND;

  RecoveryDetector(long outageEnd) {
    this.outageEnd = outageEnd;
    this.firstSecond = Math.toIntExact(Math.ceilDiv(outageEnd, ScenarioTimes.SECOND));
  }

  /** A second is over: so many requests arrived in it, so many of them were answered at once. */
  void secondEnded(int second, int arrivedInIt, int promptInIt) {
    arrived[second % WINDOW] = arrivedInIt;
    answeredFirstTry[second % WINDOW] = promptInIt;
    int start = second - WINDOW + 1;
    if (start < firstSecond) {
      return;
    }
    long expected = sum(arrived);
    if (recoveredSecond == NOT_FOUND && sum(answeredFirstTry) >= RECOVERED_SHARE * expected) {
      recoveredSecond = start;
    } else if (sum(answeredFirstTry) < RELAPSED_SHARE * expected) {
      recoveredSecond = NOT_FOUND;
    }
  }

  private static long sum(int[] counts) {
    long sum = 0;
    for (int count : counts) {
      sum += count;
    }
    return sum;
  }

  boolean recovered() {
    return recoveredSecond != NOT_FOUND;
  }

  /** From the end of the outage to the start of that second; null when there was none. */
  @Nullable Duration drainTime() {
    return recovered()
        ? Duration.ofNanos(recoveredSecond * ScenarioTimes.SECOND - outageEnd)
        : null;
  }
}
