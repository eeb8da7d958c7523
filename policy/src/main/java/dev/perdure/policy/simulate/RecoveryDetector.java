// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds the second from which the service keeps up again. It is the first second after the outage
 * that starts a window of {@value #WINDOW} seconds in which at least 90 % of the new requests are
 * answered at their first attempt. If the share later falls below half within a window, the search
 * starts again: retries that wait for minutes can come back as a second wave.
 *
 * <p>Only first attempts count, because retries that succeed later would hide that the service
 * fails every new request. A window is used because a small service has few requests per second,
 * and a single slow one would count too much.
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

  /**
   * Records a second that is over: how many requests arrived in it, and how many of these were
   * answered at their first attempt.
   */
  void secondEnded(int second, int arrivedInSecond, int answeredInSecond) {
    arrived[second % WINDOW] = arrivedInSecond;
    answeredFirstTry[second % WINDOW] = answeredInSecond;
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

  /** Returns the time from the end of the outage to the recovery; null if there was none. */
  @Nullable Duration drainTime() {
    return recovered()
        ? Duration.ofNanos(recoveredSecond * ScenarioTimes.SECOND - outageEnd)
        : null;
  }
}
