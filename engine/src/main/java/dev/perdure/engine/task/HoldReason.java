// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.task;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** What keeps a task from being claimed. A task can have several; with none it can be claimed. */
public enum HoldReason {
  /** An operator paused it. */
  PAUSED(1),
  /** It has limits, which decide when it is claimed. It keeps this for its whole life. */
  LIMITED(2),
  /** No handler here can read or run it; it waits until an operator resumes it. */
  PARKED(8);

  private static final List<Set<HoldReason>> BY_BITS =
      IntStream.range(0, 2 * PARKED.bit).mapToObj(HoldReason::decode).toList();

  private final int bit;

  HoldReason(int bit) {
    this.bit = bit;
  }

  /** The reasons in the number that stores keep. Bits of a later version are ignored. */
  public static Set<HoldReason> ofBits(int bits) {
    return BY_BITS.get(bits & (BY_BITS.size() - 1));
  }

  /** The number that stores keep: the sum of a bit for each reason. */
  public static int bits(Set<HoldReason> reasons) {
    int bits = 0;
    for (HoldReason reason : reasons) {
      bits |= reason.bit;
    }
    return bits;
  }

  private static Set<HoldReason> decode(int bits) {
    Set<HoldReason> reasons = EnumSet.allOf(HoldReason.class);
    reasons.removeIf(reason -> (bits & reason.bit) == 0);
    return Collections.unmodifiableSet(reasons);
  }
}
